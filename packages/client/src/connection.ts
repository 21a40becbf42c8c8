/** A site and who asks it: typed calls, files, uploads. */
import type { CallAddress, CallAnswer, CallRequest, CallResponse } from '@unitcell/contract/calls';

/** Why there is no answer. */

export type SiteErrorKind = 'offline' | 'refused' | 'limited' | 'login' | 'missing' | 'broken';

export interface SiteErrorDetails {
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
  readonly errorId?: string | undefined;
  readonly retryAfter?: number | undefined;
}

/** The message is the sentence of the site, in the language asked for; empty when it said nothing. */
export class SiteError extends Error {
  override readonly name = 'SiteError' as const;
  readonly kind: SiteErrorKind;
  /** HTTP status; 200 for what people can mend, 0 when the server did not answer. */
  readonly status: number;
  /** Of the situation, for programs: `search.unknown-elements`. */
  readonly code: string | undefined;
  /** What is wrong with the token. */
  readonly detail: string | undefined;
  /** Quoted to the operator when the fault is the server's. */
  readonly errorId: string | undefined;
  /** Seconds to wait, where the server said so. */
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

// How a call of the contract travels: what is sent, what an answer says. The web client and `connect` share it.

/** What `fetch` is given for a call; `body` is what the contract says, or a FormData for calls that take a file. */
export function requestOf<C extends CallAddress>(
  call: C,
  body: CallRequest<C> | FormData,
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

/** @throws SiteError for an answer that ends midway, as for none; an AbortError when it was given up */
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
 * @throws SiteError for a status of 400 and above and for what is no JSON
 */
export async function documentOf(response: Response): Promise<object> {
  const body = await readBody(response);
  if (!response.ok) throw errorFrom(response, body);
  if (typeof body !== 'object' || body === null) throw new SiteError(response.status, '');
  return body;
}

/**
 * The answer, which may be a refusal.
 * @throws SiteError as `documentOf`
 */
export const answerOf = async <C extends CallAddress>(
  _call: C,
  response: Response,
): Promise<CallResponse<C> & object> => (await documentOf(response)) as CallResponse<C> & object;

/**
 * The same response when it holds a file.
 * @throws SiteError, also for a refusal
 */
export async function fileOf(response: Response): Promise<Response> {
  if (response.ok && response.headers.has('Content-Disposition')) return response;
  throw errorFrom(response, await readBody(response));
}

/** True when a situation of spec §8 was met and the answer holds only the message for it. */
export const isRefusal = <Answer extends object>(
  answer: Answer,
): answer is Extract<Answer, { readonly error: 'true' }> => 'error' in answer && answer.error === 'true';

/**
 * The answer, unless it is a refusal.
 * @throws SiteError with the refusal's message and status 200
 */
export function expectOutcome<Answer extends object>(
  answer: Answer,
): Exclude<Answer, { readonly error: 'true' }> {
  if ('error' in answer && answer.error === 'true')
    throw new SiteError(200, textField(answer, 'message') ?? '', { code: textField(answer, 'code') });
  return answer as Exclude<Answer, { readonly error: 'true' }>;
}

/** Waiting as long as the site asks, within bounds: `Retry-After` of a refusal, `RateLimit` of the answer before. */

/** Seconds before the second, third and fourth try where the site does not say how long to wait. */
const BACK_OFF = [1, 3, 9] as const;
const BUSY = new Set([429, 502, 503, 504]);
const LIMIT = /"[^"]*"\s*;\s*r=(\d+)(?:\s*;\s*t=(\d+))?/;

interface Timeouts {
  /** Seconds all waiting of one request may take together. */
  readonly maxWait: number;
  readonly sleep: (seconds: number, signal?: AbortSignal) => Promise<void>;
  /** Seconds since some moment. */
  readonly now: () => number;
}

interface Attempt {
  /** What shares a budget: a path. */
  readonly path: string;
  /** It may be sent twice, so that it is sent again where nobody knows whether it arrived. */
  readonly again: boolean;
  readonly signal?: AbortSignal | undefined;
}

const secondsIn = (response: Response): number | null => {
  const text = response.headers.get('Retry-After') ?? '';
  return /^\d+$/.test(text) ? Number(text) : null;
};

/** Sends by `send`, and again when the site is busy; what comes at last is answered whatever it is. */
function retrying({ maxWait, sleep, now }: Timeouts) {
  const spentUntil = new Map<string, number>();

  function remember(path: string, response: Response): void {
    const [, left, seconds] = LIMIT.exec(response.headers.get('RateLimit') ?? '') ?? [];
    if (left === undefined) return;
    if (left === '0' && seconds !== undefined) spentUntil.set(path, now() + Number(seconds));
    else spentUntil.delete(path);
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
    for (const pause of [...BACK_OFF, null]) {
      const response = await send().catch(async (cause: unknown) => {
        if (signal?.aborted || !again || pause === null || !(await mayWait(pause))) throw cause;
        return null;
      });
      if (response === null) continue;
      remember(path, response);
      if (!BUSY.has(response.status) || pause === null) return response;
      const asked = secondsIn(response);
      if ((asked === null && !again) || !(await mayWait(asked ?? pause))) return response;
      await response.body?.cancel();
    }
    throw new Error('retrying: the last try answers or throws');
  };
}

export interface ConnectionOptions {
  /** Address of the site, without `/api`. */
  readonly url: string;
  /** API key; nobody's when absent. */
  readonly key?: string;
  /** Of messages. */
  readonly language?: 'en' | 'zh';
  /** Seconds a request may wait all together when the site asks to; 120 when absent. */
  readonly maxWait?: number;
  /** The global one when absent. */
  readonly fetch?: typeof fetch;
  /** How it waits; by a timer when absent. */
  readonly sleep?: (seconds: number, signal?: AbortSignal) => Promise<void>;
}

export interface SendOptions {
  readonly signal?: AbortSignal;
  /** False for what must not happen twice. */
  readonly again?: boolean;
}

export type Connection = ReturnType<typeof connection>;

const timer = (seconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((wake, stop) => {
    const handle = setTimeout(wake, seconds * 1000);
    signal?.addEventListener('abort', () => {
      clearTimeout(handle);
      stop(signal.reason);
    });
  });

/** The site asks people to sign in; a program has no sign-in. */
function asKey(cause: unknown): never {
  if (!(cause instanceof SiteError) || cause.code !== 'auth.missing') throw cause;
  const { status, code, detail } = cause;
  throw new SiteError(status, "no API key: connect({ url, key: 'uck_…' })", { code, detail });
}

export function connection(options: ConnectionOptions) {
  const { key, language = 'en', maxWait = 120, sleep = timer } = options;
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
      const answer: object = await answerOf(call, response).catch(asKey);
      return expectOutcome(answer) as CallAnswer<C>;
    },

    /** A file of the site, for a GET with a path or a call that answers with one. @throws SiteError */
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
