/**
 * The dashboard, kept up to date by server-sent events, or by polling if these do not arrive.
 * The stream is read with fetch, because EventSource cannot send the login token.
 */
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  dashboardHandle,
  run4uCancel,
  run4uDetail,
  run4uHandle,
  run4uResubmit,
  run4uSubmit,
  watchSubmissions,
} from '@unitcell/contract/calls';
import type { WorkingIon } from '@unitcell/contract/ecwindow/rules';
import type {
  Dashboard,
  PotentialName,
  PredictedTask,
  RunPhysics,
  RunMethod,
  SubmissionDetail,
  SubmitOutcome,
  UploadedStructure,
} from '@unitcell/contract/run4u';
import type { StructureJson } from '@unitcell/material';
import { useEffect, useState } from 'react';
import { useFailureToast } from '../../../components/failure-toast.ts';
import { useFailure } from '../../../components/failure.tsx';
import { currentLanguage } from '../../../i18n/i18n.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { answerTo, callApi, isRefusal, type RequestOf } from '../../../lib/api-client.ts';
import { notify } from '../../../lib/notify.ts';
import { currentToken } from '../../../lib/session.ts';
import { run4uTexts } from '../texts.ts';
import { cancelNotice, type Notice, submitNotice, type T, takeEvents } from '../view-model.ts';

/** The structure of a file, or the server's error message; an empty message means it is not a structure file. */
async function uploadStructure(file: File): Promise<UploadedStructure | { readonly refusal: string }> {
  const form = new FormData();
  form.set('cif-file', file, file.name);
  const answer = await callApi(run4uHandle, form);
  return isRefusal(answer) ? { refusal: answer.message } : answer;
}

/** Uploads a structure file and keeps the structure, or the error, until `clear` is called. */
export function useUpload() {
  const { t } = useTexts(run4uTexts);
  const sentence = useFailure();
  const { data, error, variables, isPending, mutate, reset } = useMutation({
    mutationFn: uploadStructure,
    onSuccess: (answer) => {
      // File errors are shown beside the file, and stay.
      if (!('refusal' in answer)) notify('success', t('uploaded'));
    },
  });
  const read = (files: readonly File[]): void => {
    const [file] = files;
    if (!file || isPending) return;
    if (files.length > 1) notify('warning', t('oneFile', { name: file.name }));
    mutate(file);
  };
  const refusal = data && 'refusal' in data ? data.refusal || t('badFormat') : '';
  return {
    fileName: variables?.name ?? null,
    /** The structure of the file with its warnings; null if there is none. */
    structure: data && !('refusal' in data) ? data : null,
    /** Error for the file, or an empty string. */
    problem: error ? sentence(error) : refusal,
    isReading: isPending,
    read,
    clear: reset,
  };
}

/** A call whose outcome is shown as a toast and that refetches the history. */
function useOutcome<Request>(
  ask: (request: Request) => Promise<SubmitOutcome>,
  noticeOf: (answer: SubmitOutcome, t: T) => Notice,
) {
  const { t } = useTexts(run4uTexts);
  const client = useQueryClient();
  return useMutation({
    mutationFn: ask,
    onError: useFailureToast(),
    onSuccess: (answer) => {
      const { tone, text } = noticeOf(answer, t);
      notify(tone, text);
      void client.invalidateQueries({ queryKey: ['run4u'] });
    },
  });
}

export interface Submitting {
  readonly structure: StructureJson | null;
  readonly method?: RunMethod;
  readonly tasks?: PredictedTask[];
  readonly ion?: WorkingIon;
  readonly potential?: PotentialName;
  readonly physics?: RunPhysics[];
}
const submitStructure = (submitting: Submitting): Promise<SubmitOutcome> =>
  callApi(run4uSubmit, { submit: true, ...submitting });
const resubmit = (id: number): Promise<SubmitOutcome> => callApi(run4uResubmit, { id });
const cancel = (id: number): Promise<SubmitOutcome> => callApi(run4uCancel, { id });

export const useSubmit = () => useOutcome(submitStructure, submitNotice);
export const useResubmit = () => useOutcome(resubmit, submitNotice);
export const useCancel = () => useOutcome(cancel, cancelNotice);

const POLL_MILLISECONDS = 4_000;
const RECONNECT_MILLISECONDS = 5_000;

const keyOf = (language: string) => ['run4u', 'dashboard', language];

export const DASHBOARD: RequestOf<typeof dashboardHandle> = { call: dashboardHandle, body: {} };

async function readStream(
  client: QueryClient,
  language: string,
  signal: AbortSignal,
  onLive: () => void,
): Promise<void> {
  const response = await fetch(watchSubmissions.path, {
    headers: {
      Accept: 'text/event-stream',
      'Accept-Language': language === 'en' ? 'en' : 'zh-CN',
      Authorization: `token ${currentToken() ?? ''}`,
    },
    signal,
  });
  if (!response.ok || !response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const { events, rest } = takeEvents(buffer + value);
    buffer = rest;
    const newest = events.at(-1);
    if (newest === undefined) continue;
    onLive();
    client.setQueryData(keyOf(language), JSON.parse(newest) as Dashboard);
  }
}

/** True while server-sent events arrive. */
function useStream(language: string): boolean {
  const client = useQueryClient();
  const [isLive, setIsLive] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = async (): Promise<void> => {
      try {
        await readStream(client, language, stop.signal, () => setIsLive(true));
      } catch {
        // The stream is blocked or broken; polling continues.
      }
      if (stop.signal.aborted) return;
      setIsLive(false);
      timer = setTimeout(() => void follow(), RECONNECT_MILLISECONDS);
    };
    void follow();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [client, language]);
  return isLive;
}

export function useSubmissions() {
  const language = currentLanguage();
  const isLive = useStream(language);
  const query = useQuery({
    queryKey: keyOf(language),
    queryFn: ({ signal }): Promise<Dashboard> => answerTo(DASHBOARD.call, DASHBOARD.body, { signal }),
    refetchInterval: isLive ? false : POLL_MILLISECONDS,
  });
  return { ...query, isLive };
}

/**
 * One submission with the material it belongs to; idle while `id` is null. Refetched when the status changes, because a
 * result may be available.
 */
export const useSubmissionDetail = (id: number | null, status: string) =>
  useQuery({
    queryKey: ['run4u', 'detail', id, status, currentLanguage()],
    enabled: id !== null,
    queryFn: ({ signal }): Promise<SubmissionDetail> => answerTo(run4uDetail, { id: id ?? 0 }, { signal }),
  });
