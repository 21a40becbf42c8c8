/**
 * The dashboard, kept up to date: by server-sent events while they come through, else by asking every few seconds.
 * The stream is read with fetch, because EventSource cannot send the login token.
 */
import { dashboardHandle, run4uDetail, watchSubmissions } from '@unitcell/contract/calls';
import type { Dashboard, SubmissionDetail } from '@unitcell/contract/run4u';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { callApi, expectOutcome, type RequestOf } from '../../../lib/api-client.ts';
import { currentToken } from '../../../lib/session.ts';
import { currentLanguage } from '../../../i18n/i18n.ts';
import { takeEvents } from '../view-model.ts';

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

/** True while the server's events come through. */
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
        // Blocked or broken: asking goes on meanwhile.
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
    queryFn: async ({ signal }): Promise<Dashboard> => {
      return expectOutcome(await callApi(DASHBOARD.call, DASHBOARD.body, { signal }));
    },
    refetchInterval: isLive ? false : POLL_MILLISECONDS,
  });
  return { ...query, isLive };
}

/** One submission with the material it belongs to; idle while `id` is null. */
export const useSubmissionDetail = (id: number | null) =>
  useQuery({
    queryKey: ['run4u', 'detail', id, currentLanguage()],
    enabled: id !== null,
    queryFn: async ({ signal }): Promise<SubmissionDetail> => {
      return expectOutcome(await callApi(run4uDetail, { id: id ?? 0 }, { signal }));
    },
  });
