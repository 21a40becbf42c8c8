/** Connection to a site: typed calls, files, uploads. */
import type { CallAnswer, CallRequest } from '@unitcell/contract';
import type { CallAddress } from '@unitcell/contract/calls';

/** Reasons why there is no answer. */

export type SiteErrorKind = 'offline' | 'refused' | 'limited' | 'login' | 'missing' | 'broken';

export interface SiteErrorDetails {
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
  readonly errorId?: string | undefined;
  readonly retryAfter?: number | undefined;
}

/** The message is the site's sentence in the requested language; it is empty if the site sent none. */
export class SiteError extends Error {
  override readonly name = 'SiteError' as const;
  readonly kind: SiteErrorKind;
  /** HTTP status; 200 for situations that the user can correct, 0 if the server did not respond. */
  readonly status: number;
  /** Code of the situation for programs: `search.unknown-elements`. */
  readonly code: string | undefined;
  /** Reason why the token was refused. */
  readonly detail: string | undefined;
  /** Id of a server error, which users quote to the operator. */
  readonly errorId: string | undefined;
  /** Seconds to wait, if the server states them. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, details: SiteErrorDetails = {}) {
    super(message);
    this.status = status;
    this.kind = kindOf(status, details.retryAfter);
    this.code = details.code;
    this.detail = details.detail;
    this.errorId = details.errorId;
    this.retryAfter = details.retryAfter;
  }
}

function kindOf(status: number, retryAfter: number | undefined): SiteErrorKind {
  if (status === 503 && retryAfter !== undefined) return 'limited';
  if (status === 0 || status === 502 || status === 503 || status === 504) return 'offline';
  if (status === 401) return 'login';
  if (status === 404) return 'missing';
  if (status === 429) return 'limited';
  return status >= 500 ? 'broken' : 'refused';
}

/**
 * The arguments of `fetch` for a call. The `body` follows the contract, or is FormData for calls that take a
 * file. The web client and `connect` share the handling of requests and responses in this file.
 */
export function requestOf(
  call: CallAddress,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): RequestInit {
  if (call.method === 'GET') return { method: 'GET', headers };
  if (body instanceof FormData) return { method: 'POST', headers, body };
  return {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body ?? {}),
  };
}

/** @throws SiteError for a missing or truncated answer; an AbortError when aborted */
async function readBody(response: Response): Promise<unknown> {
  const text = await response.text().catch((cause: unknown) => {
    throw cause instanceof DOMException && cause.name === 'AbortError' ? cause : new SiteError(0, '');
  });
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

function errorFrom(response: Response, body: unknown): SiteError {
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new SiteError(response.status, textField(body, 'message') ?? textField(body, 'detail') ?? '', {
    code: textField(body, 'code'),
    detail: textField(body, 'detail'),
    errorId: textField(body, 'error_id'),
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
  });
}

/**
 * The JSON of a response.
 * @throws SiteError for a status of 400 and above and for a body that is not JSON
 */
export async function documentOf(response: Response): Promise<object> {
  const body = await readBody(response);
  if (!response.ok) throw errorFrom(response, body);
  if (typeof body !== 'object' || body === null) throw new SiteError(response.status, '');
  return body;
}

/**
 * The response itself, if it carries a file.
 * @throws SiteError, also for a refusal
 */
export async function fileOf(response: Response): Promise<Response> {
  if (response.ok && response.headers.has('Content-Disposition')) return response;
  throw errorFrom(response, await readBody(response));
}

/** Whether the answer is a refusal (spec §8), which contains only a message. */
export const isRefusal = <Answer extends object>(
  answer: Answer,
): answer is Extract<Answer, { readonly error: 'true' }> => 'error' in answer && answer.error === 'true';

/**
 * Returns the answer, unless it is a refusal.
 * @throws SiteError with the refusal's message and status 200
 */
export function expectOutcome<Answer extends object>(
  answer: Answer,
): Exclude<Answer, { readonly error: 'true' }> {
  if ('error' in answer && answer.error === 'true')
    throw new SiteError(200, textField(answer, 'message') ?? '', { code: textField(answer, 'code') });
  return answer as Exclude<Answer, { readonly error: 'true' }>;
}

/**
 * Retries wait as long as the site states, within limits. The time is in `Retry-After` of a refusal or in
 * `RateLimit` of the previous answer.
 */

/** Seconds before the second, third and fourth attempt if the site states no time. */
const BACK_OFF = [1, 3, 9] as const;
const BUSY = new Set([429, 502, 503, 504]);
const LIMIT = /"[^"]*"\s*;\s*r=(\d+)(?:\s*;\s*t=(\d+))?/g;

interface Timeouts {
  /** Limit on the total waiting time of one request in seconds. */
  readonly maxWait: number;
  readonly sleep: (seconds: number, signal?: AbortSignal) => Promise<void>;
  /** Seconds since an arbitrary origin. */
  readonly now: () => number;
}

interface Attempt {
  /** Path that identifies a shared rate limit. */
  readonly path: string;
  /** Whether the request is idempotent, so that it may be repeated if its outcome is unknown. */
  readonly again: boolean;
  readonly signal?: AbortSignal | undefined;
}

const secondsIn = (response: Response): number | null => {
  const text = response.headers.get('Retry-After') ?? '';
  return /^\d+$/.test(text) ? Number(text) : null;
};

/** Sends with `send` and retries while the site is busy; returns the last response. */
function retrying({ maxWait, sleep, now }: Timeouts) {
  const spentUntil = new Map<string, number>();

  function remember(path: string, response: Response): void {
    const limits = [...(response.headers.get('RateLimit') ?? '').matchAll(LIMIT)];
    const waits = limits.flatMap(([, left, seconds]) => (left === '0' && seconds ? [Number(seconds)] : []));
    if (waits.length > 0) spentUntil.set(path, now() + Math.max(...waits));
    else if (limits.length > 0) spentUntil.delete(path);
  }

  return async (send: () => Promise<Response>, { path, again, signal }: Attempt): Promise<Response> => {
    let waited = 0;
    const mayWait = async (seconds: number): Promise<boolean> => {
      if (waited + seconds > maxWait) return false;
      waited += seconds;
      if (seconds > 0) await sleep(seconds, signal);
      return true;
    };
    await mayWait(Math.max(0, (spentUntil.get(path) ?? 0) - now()));
    for (const backOff of [...BACK_OFF, null]) {
      const response = await send().catch(async (cause: unknown) => {
        if (signal?.aborted || !again || backOff === null || !(await mayWait(backOff))) throw cause;
        return null;
      });
      if (response === null) continue;
      remember(path, response);
      if (!BUSY.has(response.status) || backOff === null) return response;
      const asked = secondsIn(response);
      if ((asked === null && !again) || !(await mayWait(asked ?? backOff))) return response;
      await response.body?.cancel();
    }
    throw new Error('retrying: the last try answers or throws');
  };
}

export interface ConnectionOptions {
  /** Address of the site, without `/api`. */
  readonly url: string;
  /** API key; without it the connection is anonymous. */
  readonly key?: string;
  /** Language of messages. */
  readonly language?: 'en' | 'zh';
  /** Limit on the total waiting time of one request in seconds, if the site asks to wait; default 120. */
  readonly maxWait?: number;
  /** Function used for requests; by default the global fetch. */
  readonly fetch?: typeof fetch;
  /** Function used for waiting; by default a timer. */
  readonly sleep?: (seconds: number, signal?: AbortSignal) => Promise<void>;
}

export interface SendOptions {
  readonly signal?: AbortSignal;
  /** False for requests that must not be repeated. */
  readonly again?: boolean;
}

export type Connection = ReturnType<typeof connection>;

/** @throws the reason of the signal when it fires */
export const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((wake, stop) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(handle);
      stop(signal?.reason);
    };
    const handle = setTimeout(() => {
      // A signal may serve many calls.
      signal?.removeEventListener('abort', abort);
      wake();
    }, milliseconds);
    signal?.addEventListener('abort', abort);
  });

/** Replaces the message that asks to sign in by one that asks for a key, because a program cannot sign in. */
function asKey(cause: unknown): never {
  if (!(cause instanceof SiteError) || cause.code !== 'auth.missing') throw cause;
  const { status, code, detail } = cause;
  throw new SiteError(status, "no API key: connect({ url, key: 'uck_…' })", { code, detail });
}

export function connection(options: ConnectionOptions) {
  const { key, language = 'en', maxWait = 120 } = options;
  const { sleep = (seconds, signal) => pause(1000 * seconds, signal) } = options;
  const ask = options.fetch ?? fetch;
  const site = options.url.replace(/\/+$/, '');
  const headers = {
    Accept: 'application/json',
    'Accept-Language': language,
    ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
  };
  const withRetries = retrying({ maxWait, sleep, now: () => performance.now() / 1000 });

  async function send(path: string, init: RequestInit, { signal, again = true }: SendOptions) {
    const withSignal = signal ? { ...init, signal } : init;
    return withRetries(() => ask(site + path, withSignal), { path, again, signal }).catch(
      (cause: unknown) => {
        if (signal?.aborted) throw cause;
        throw new SiteError(0, `${site} does not answer: ${String(cause)}`);
      },
    );
  }

  return {
    /**
     * Makes one call of the contract.
     * @throws SiteError, also for a refusal; an AbortError when `signal` fires
     */
    async call<C extends CallAddress>(
      call: C,
      body: CallRequest<C> | FormData,
      sending: SendOptions = {},
    ): Promise<CallAnswer<C>> {
      const response = await send(call.path, requestOf(call, body, headers), sending);
      const answer: unknown = expectOutcome(await documentOf(response).catch(asKey));
      return answer as CallAnswer<C>;
    },

    /** Fetches a file of the site, by a GET with a path or by a call that returns a file. @throws SiteError */
    async file<C extends CallAddress>(
      what: string | { readonly call: C; readonly body: CallRequest<C> },
      sending: SendOptions & { readonly headers?: Readonly<Record<string, string>> } = {},
    ): Promise<Response> {
      const own = { ...headers, Accept: '*/*', ...sending.headers };
      const response = await (typeof what === 'string'
        ? send(what, { method: 'GET', headers: own }, sending)
        : send(what.call.path, requestOf(what.call, what.body, own), sending));
      return fileOf(response).catch(asKey);
    },
  };
}
