import { useCallback, useEffect, useRef, useState } from 'react';
import type { RelaxMessage, RelaxRequest } from './relax-run.ts';
import { afterMessage, READY, type RelaxState } from './relax-state.ts';

export interface Relaxing {
  readonly state: RelaxState;
  readonly start: (request: RelaxRequest) => void;
  readonly stop: () => void;
}

/** One relaxation at a time, in a worker that ends with it or with the component. */
export function useRelaxation(): Relaxing {
  const [state, setState] = useState(READY);
  const worker = useRef<Worker | null>(null);
  const end = useCallback((): void => {
    worker.current?.terminate();
    worker.current = null;
  }, []);
  useEffect(() => end, [end]);
  return {
    state,
    start(request) {
      end();
      setState({ ...READY, is: 'loading' });
      const made = new Worker(new URL('./relax.worker.ts', import.meta.url), { type: 'module' });
      worker.current = made;
      const take = (message: RelaxMessage): void => {
        if (worker.current !== made) return;
        setState((now) => afterMessage(now, message));
        if (message.kind !== 'step') end();
      };
      made.addEventListener('message', ({ data }: MessageEvent<RelaxMessage>) => take(data));
      made.addEventListener('error', () => take({ kind: 'failed', why: 'other' }));
      // A worker has no target origin; the rule is about windows.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      made.postMessage(request);
    },
    stop() {
      end();
      setState((now) => ({ ...now, is: now.course.length > 0 ? 'stopped' : 'ready' }));
    },
  };
}
