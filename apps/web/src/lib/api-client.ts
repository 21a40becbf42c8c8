/**
 * The one way to the server: a call of the contract and its body in, its answer out.
 *
 * Answers with `error: "true"` are answers (spec §8), not exceptions; `expectOutcome` turns them into an ApiError
 * where a page has no other use for them. Everything else that is no answer throws an {@link ApiError}.
 */
import type { Call, CallRequest, CallResponse } from '@unitcell/contract';
import { reportReachable } from './server-status.ts';
import { currentToken, endSession } from './session.ts';
import { readStored } from './storage.ts';

export type ApiErrorKind = 'offline' | 'refused' | 'limited' | 'login' | 'missing' | 'broken';

export class ApiError extends Error {
  override readonly name = 'ApiError' as const;
  readonly kind: ApiErrorKind;
  /** HTTP status; 0 when the server did not answer. */
  readonly status: number;
  /** Quoted to the operator when the fault is the server's. */
  readonly errorId: string | undefined;
  /** Seconds to wait, where the server said so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, details: { errorId?: string; retryAfter?: number } = {}) {
    super(message);
    this.status = status;
    this.kind = kindOf(status, details.retryAfter);
    this.errorId = details.errorId;
    this.retryAfter = details.retryAfter;
  }
}

function kindOf(status: number, retryAfter: number | undefined): ApiErrorKind {
  if (status === 503 && retryAfter !== undefined) return 'limited';
  if (status === 0 || status === 502 || status === 503 || status === 504) return 'offline';
  if (status === 401) return 'login';
  if (status === 404) return 'missing';
  if (status === 429) return 'limited';
  return status >= 500 ? 'broken' : 'refused';
}

/** Texts of the specification that say that a token is dead. */
const DEAD_TOKEN = new Set(['Invalid token', 'Token has expired']);

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Calls with this token instead of the stored one, which then stays whatever the answer is. */
  readonly token?: string;
}

function headersFor(isJson: boolean, token: string | null): Headers {
  const headers = new Headers({ Accept: 'application/json' });
  headers.set('Accept-Language', readStored('languageSet') === 'en' ? 'en' : 'zh-CN');
  if (token !== null) headers.set('Authorization', `token ${token}`);
  if (isJson) headers.set('Content-Type', 'application/json');
  return headers;
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const textField = (body: unknown, field: string): string | undefined => {
  const value =
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
};

function errorFrom(response: Response, body: unknown): ApiError {
  const message = textField(body, 'message') ?? textField(body, 'detail') ?? '';
  const errorId = textField(body, 'error_id');
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new ApiError(response.status, message, {
    ...(errorId === undefined ? {} : { errorId }),
    ...(Number.isFinite(seconds) ? { retryAfter: seconds } : {}),
  });
}

/** A proxy that finds no server answers 502 to 504; a server that is busy says so with a time to wait. */
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

/**
 * Makes one call. `body` is what the contract says; for calls that upload a file it is a FormData.
 * @throws ApiError; an AbortError when `signal` fires.
 */
export async function callApi<C extends Call>(
  call: C,
  body: CallRequest<C> | FormData,
  options: CallOptions = {},
): Promise<CallResponse<C>> {
  const isJson = call.method === 'POST' && !(body instanceof FormData);
  const sentToken = options.token ?? currentToken();
  const response = await send(call.path, {
    method: call.method,
    headers: headersFor(isJson, sentToken),
    ...(options.signal ? { signal: options.signal } : {}),
    ...(call.method === 'POST' ? { body: isJson ? JSON.stringify(body ?? {}) : (body as FormData) } : {}),
  });
  const answer = await readBody(response);
  if (!response.ok) {
    const isDead = response.status === 401 && DEAD_TOKEN.has(textField(answer, 'detail') ?? '');
    // A token replaced in the meantime (a login in another tab) is not thrown away.
    if (isDead && sentToken !== null && currentToken() === sentToken) endSession();
    throw errorFrom(response, answer);
  }
  if (typeof answer !== 'object' || answer === null) throw new ApiError(response.status, '');
  return answer as CallResponse<C>;
}

/**
 * Makes a call that answers with a file.
 * @throws ApiError, also for a refusal
 */
export async function callForFile<C extends Call>(call: C, body: CallRequest<C>): Promise<Blob> {
  const response = await send(call.path, {
    method: call.method,
    headers: headersFor(true, currentToken()),
    body: JSON.stringify(body),
  });
  if (response.ok && response.headers.has('Content-Disposition')) return response.blob();
  throw errorFrom(response, await readBody(response));
}

/** True when a situation of spec §8 was met and the answer holds only the message for it. */
export const isRefusal = <Answer extends object>(
  answer: Answer,
): answer is Extract<Answer, { readonly error: 'true' }> => 'error' in answer && answer.error === 'true';

/**
 * The answer, unless it is a refusal.
 * @throws ApiError with the refusal's message and status 200.
 */
export function expectOutcome<Answer extends object>(
  answer: Answer,
): Exclude<Answer, { readonly error: 'true' }> {
  if ('error' in answer && answer.error === 'true')
    throw new ApiError(200, textField(answer, 'message') ?? '');
  return answer as Exclude<Answer, { readonly error: 'true' }>;
}
