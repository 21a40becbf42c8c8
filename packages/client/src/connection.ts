/** A site and who asks it: typed calls, files, uploads. */
import type { CallAddress, CallAnswer, CallRequest } from '@unitcell/contract/calls';
import { SiteError } from './site-error.ts';
import { answerOf, expectOutcome, fileOf, requestOf } from './wire.ts';

/** Waiting as long as the site asks, within bounds: `Retry-After` of a refusal, `RateLimit` of the answer before. */

/** Seconds before the second, third and fourth try where the site does not say how long to wait. */
const BACK_OFF = [1, 3, 9] as const;
const BUSY = new Set([429, 502, 503, 504]);
const LIMIT = /"[^"]*"\s*;\s*r=(\d+)(?:\s*;\s*t=(\d+))?/;

interface Patience {
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
function patiently({ maxWait, sleep, now }: Patience) {
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
    throw new Error('patiently: the last try answers or throws');
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
  const withPatience = patiently({ maxWait, sleep, now: () => performance.now() / 1000 });

  async function send(path: string, init: RequestInit, { signal, again = true }: SendOptions) {
    const withSignal = signal ? { ...init, signal } : init;
    return withPatience(() => ask(site + path, withSignal), { path, again, signal }).catch(
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
