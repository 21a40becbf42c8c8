/**
 * All requests of the pages go through here. Each takes a call of the contract and its body, and returns the answer.
 * This file adds the token, the language and the reports on the connection for the shell; @unitcell/client does the
 * transport.
 *
 * Answers with `error: "true"` are answers (spec §8), not exceptions; `answerTo` turns them into an ApiError where a
 * page has no other use for them. Every other failure throws an {@link ApiError}.
 */
import { documentOf, expectOutcome, fileOf, requestOf, SiteError as ApiError } from '@unitcell/client';
import type { CallAnswer, CallRequest, CallResponse } from '@unitcell/contract';
import type { CallAddress } from '@unitcell/contract/calls';
import { QueryClient } from '@tanstack/react-query';
import { reportReachable, reportWaiting } from './server-status.ts';
import { currentToken, endSession, onTokenChange } from './session.ts';
import { readStored } from './storage.ts';

export { isRefusal } from '@unitcell/client';
export { ApiError, expectOutcome };

/** True if what was requested does not exist. */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.kind === 'missing';

/** Messages of the specification for an invalid token. */
const DEAD_TOKEN = new Set(['Invalid token', 'Token has expired']);

/** A request of a page, to be shown as code. */
export interface SentRequest {
  readonly call: CallAddress;
  readonly body: unknown;
}

export interface RequestOf<C extends CallAddress> extends SentRequest {
  readonly call: C;
  readonly body: CallRequest<C>;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  /** Uses this token instead of the stored one. The stored token is then kept, whatever the answer is. */
  readonly token?: string;
  /** The page shows the progress itself, so the shell need not show that a request is slow. */
  readonly isFollowed?: boolean;
}

const headersFor = (token: string | null): Readonly<Record<string, string>> => ({
  Accept: 'application/json',
  'Accept-Language': readStored('languageSet') === 'en' ? 'en' : 'zh-CN',
  ...(token === null ? {} : { Authorization: `token ${token}` }),
});

/** A proxy answers 502 to 504 if the server is down. A busy server also sends Retry-After. */
const isReachable = ({ status, headers }: Response): boolean =>
  ![502, 503, 504].includes(status) || headers.has('Retry-After');

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(path, init);
    reportReachable(isReachable(response));
    return response;
  } catch (cause) {
    if (init.signal?.aborted === true) throw cause;
    reportReachable(false);
    throw new ApiError(0, '');
  }
}

/** Tells the shell that a request is pending, so that it can announce a slow one. */
async function sayingWait<Answer>(asked: Promise<Answer>): Promise<Answer> {
  const stopWaiting = reportWaiting();
  try {
    return await asked;
  } finally {
    stopWaiting();
  }
}

/** Sends a call and reads its answer. */
async function documentFrom(call: CallAddress, body: unknown, options: CallOptions): Promise<object> {
  const sentToken = options.token ?? currentToken();
  const init = requestOf(call, body, headersFor(sentToken));
  const asked = send(call.path, options.signal ? { ...init, signal: options.signal } : init).then(documentOf);
  const answer = options.isFollowed ? asked : sayingWait(asked);
  return answer.catch((error: unknown) => {
    const isDead = error instanceof ApiError && error.status === 401 && DEAD_TOKEN.has(error.detail ?? '');
    // A token replaced in the meantime (a login in another tab) is kept.
    if (isDead && sentToken !== null && currentToken() === sentToken) endSession();
    throw error;
  });
}

/**
 * Makes one call. `body` is defined by the contract; for calls that upload a file it is a FormData.
 * @throws ApiError; an AbortError when `signal` fires.
 */
export async function callApi<C extends CallAddress>(
  call: C,
  body: CallRequest<C> | FormData,
  options: CallOptions = {},
): Promise<CallResponse<C>> {
  const answer: unknown = await documentFrom(call, body, options);
  return answer as CallResponse<C>;
}

/**
 * The successful answer of one call.
 * @throws ApiError, also for a refusal; an AbortError when `signal` fires.
 */
export async function answerTo<C extends CallAddress>(
  call: C,
  body: CallRequest<C> | FormData,
  options: CallOptions = {},
): Promise<CallAnswer<C>> {
  const answer: unknown = expectOutcome(await documentFrom(call, body, options));
  return answer as CallAnswer<C>;
}

/** Common start of the keys of a group of calls, such as `collections`; invalidate it after a change. */
export const groupKey = (call: CallAddress): readonly unknown[] => [call.path.split('/')[2]];

/** Key of a query: the call, followed by everything its answer depends on. */
export const callKey = (call: CallAddress, ...more: readonly unknown[]): readonly unknown[] => [
  ...groupKey(call),
  call.name,
  ...more,
];

/**
 * The options of a query that makes one call. The query key contains the call and its body, so that equal requests
 * share one answer; `more` lists what else the answer depends on, such as the token.
 */
export const apiQuery = <C extends CallAddress>(
  { call, body }: RequestOf<C>,
  ...more: readonly unknown[]
) => ({
  queryKey: callKey(call, body, ...more),
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<CallAnswer<C>> =>
    answerTo(call, body, { signal }),
});

/** Shows the last answer to a call until the next one arrives, if the two requests are alike. */
export const previousIf =
  <C extends CallAddress>(_call: C, isAlike: (before: CallRequest<C>) => boolean) =>
  (
    previous: CallAnswer<C> | undefined,
    query?: { readonly queryKey: readonly unknown[] },
  ): CallAnswer<C> | undefined => {
    // See `callKey`.
    const [, , before] = query?.queryKey ?? [];
    return before !== undefined && isAlike(before as CallRequest<C>) ? previous : undefined;
  };

/**
 * Makes a call that returns a file.
 * @throws ApiError, also for a refusal
 */
export async function callForFile<C extends CallAddress>(call: C, body: CallRequest<C>): Promise<Blob> {
  const asked = send(call.path, requestOf(call, body, headersFor(currentToken())));
  return sayingWait(asked.then(fileOf).then((file) => file.blob()));
}

/**
 * Fetches a file of the site by its path.
 * @throws ApiError
 */
export async function fileAt(path: string): Promise<Blob> {
  const asked = send(path, { headers: headersFor(currentToken()) });
  return sayingWait(asked.then(fileOf).then((file) => file.blob()));
}

/**
 * Fetches a JSON document of the site by its path.
 * @throws ApiError
 */
export async function documentAt(path: string, signal: AbortSignal): Promise<object> {
  return sayingWait(send(path, { headers: headersFor(currentToken()), signal }).then(documentOf));
}

/** Retries only failures that can be temporary. */
const isWorthRetrying = (failures: number, error: Error): boolean =>
  failures < 2 && error instanceof ApiError && error.kind === 'offline';

/** Server state: one cache for all pages. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // `always`: by default the library silently pauses queries while the browser reports that it is offline.
    queries: {
      retry: isWorthRetrying,
      staleTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

// A sign-in clears the cached answers, because it may be to another account, which must not see them. An
// expired session or a sign-out in another tab leaves them in the cache.
onTokenChange(() => {
  if (currentToken() !== null) queryClient.removeQueries({ type: 'inactive' });
});
