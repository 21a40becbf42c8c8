/** A site and who asks it: typed calls, files, uploads. */
import type { Call, CallAnswer, CallRequest } from '@unitcell/contract';
import { patiently } from './patience.ts';
import { SiteError } from './site-error.ts';
import { answerOf, expectOutcome, fileOf, requestOf } from './wire.ts';

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
    async call<C extends Call>(
      call: C,
      body: CallRequest<C> | FormData,
      sending: SendOptions = {},
    ): Promise<CallAnswer<C>> {
      const response = await send(call.path, requestOf(call, body, headers), sending);
      const answer: object = await answerOf(call, response);
      return expectOutcome(answer) as CallAnswer<C>;
    },

    /** A file of the site, for a GET with a path or a call that answers with one. @throws SiteError */
    async file<C extends Call>(
      what: string | { readonly call: C; readonly body: CallRequest<C> },
      sending: SendOptions & { readonly headers?: Readonly<Record<string, string>> } = {},
    ): Promise<Response> {
      const own = { ...headers, Accept: '*/*', ...sending.headers };
      if (typeof what === 'string') return fileOf(await send(what, { method: 'GET', headers: own }, sending));
      return fileOf(await send(what.call.path, requestOf(what.call, what.body, own), sending));
    },
  };
}
