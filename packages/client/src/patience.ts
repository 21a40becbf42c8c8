/** Waiting as long as the site asks, within bounds: `Retry-After` of a refusal, `RateLimit` of the answer before. */

/** Seconds before the second, third and fourth try where the site does not say how long to wait. */
const BACK_OFF = [1, 3, 9] as const;
const BUSY = new Set([429, 502, 503, 504]);
const LIMIT = /"[^"]*"\s*;\s*r=(\d+)(?:\s*;\s*t=(\d+))?/;

export interface Patience {
  /** Seconds all waiting of one request may take together. */
  readonly maxWait: number;
  readonly sleep: (seconds: number, signal?: AbortSignal) => Promise<void>;
  /** Seconds since some moment. */
  readonly now: () => number;
}

export interface Attempt {
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
export function patiently({ maxWait, sleep, now }: Patience) {
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
