/** Bands and report of the current model, calculated in workers. The newest request wins; older ones are dropped. */
import { useEffect, useRef, useState } from 'react';
import type {
  BandPoint,
  BandsAnswer,
  ModelSettings,
  ReportAnswer,
  WorkerAnswer,
  WorkerRequest,
} from './messages.ts';

/** A queue of length one: while a request runs, only the newest later one is kept. */
interface LatestWins<Request> {
  readonly send: (request: Request) => void;
  /** Call when the running request is done; the waiting one starts. */
  readonly done: () => void;
}

export function latestWins<Request>(start: (request: Request) => void): LatestWins<Request> {
  let isBusy = false;
  let waiting: { readonly request: Request } | null = null;
  return {
    send: (request) => {
      if (isBusy) waiting = { request };
      else {
        isBusy = true;
        start(request);
      }
    },
    done: () => {
      const next = waiting;
      waiting = null;
      isBusy = next !== null;
      if (next) start(next.request);
    },
  };
}

/** A slider counts as stopped after this time without movement. */
const SETTLE_MS = 160;

export interface Solved {
  readonly bands: BandsAnswer | null;
  readonly report: ReportAnswer | null;
  /** Error of the last request. */
  readonly failure: string | null;
}

function openWorker(onAnswer: (answer: WorkerAnswer) => void) {
  const worker = new Worker(new URL('./solver.worker.ts', import.meta.url), { type: 'module' });
  // A worker has no target origin; the rule is about windows.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  const queue: LatestWins<WorkerRequest> = latestWins((request) => worker.postMessage(request));
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerAnswer>) => {
    queue.done();
    onAnswer(data);
  });
  worker.addEventListener('error', ({ message }) => {
    queue.done();
    onAnswer({ kind: 'failed', message });
  });
  return { send: queue.send, close: () => worker.terminate() };
}

type Solver = ReturnType<typeof openWorker>;

/** Keep `model` referentially stable while it does not change. */
export function useSolver(model: ModelSettings, filling: number, selected: BandPoint | null): Solved {
  const [solved, setSolved] = useState<Solved>({ bands: null, report: null, failure: null });
  // The report may take a second, so a separate worker keeps it from delaying the bands.
  const solvers = useRef<{ readonly bands: Solver; readonly report: Solver } | null>(null);
  useEffect(() => {
    const take = (answer: WorkerAnswer): void =>
      setSolved((now) => {
        if (answer.kind === 'failed') return { ...now, failure: answer.message };
        if (answer.kind === 'bands') return { ...now, bands: answer.answer, failure: null };
        return { ...now, report: answer.answer };
      });
    const opened = { bands: openWorker(take), report: openWorker(take) };
    solvers.current = opened;
    return () => {
      opened.bands.close();
      opened.report.close();
    };
  }, []);

  useEffect(() => {
    const request = { model, filling, selected };
    const send = (isSettled: boolean): void =>
      solvers.current?.bands.send({ kind: 'bands', request: { ...request, isSettled } });
    send(false);
    const timer = setTimeout(() => send(true), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [model, filling, selected]);

  useEffect(() => {
    const timer = setTimeout(() => solvers.current?.report.send({ kind: 'report', model }), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [model]);
  return solved;
}
