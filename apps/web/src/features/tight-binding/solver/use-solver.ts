/** Bands and report of the model being set, calculated in workers: the newest wish first, older ones dropped. */
import { useEffect, useRef, useState } from 'react';
import type {
  BandPoint,
  BandsAnswer,
  ModelSettings,
  ReportAnswer,
  WorkerAnswer,
  WorkerRequest,
} from './messages.ts';

/** A queue of one: while a request is being worked on, only the newest of those that follow is kept. */
interface LatestWins<Request> {
  readonly send: (request: Request) => void;
  /** The request at work is done: the one waiting goes next. */
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

/** A slider that has not moved for this long rests. */
const SETTLE_MS = 160;

export interface Solved {
  readonly bands: BandsAnswer | null;
  readonly report: ReportAnswer | null;
  /** Why the last request has no answer. */
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

/** Keep `model` the same object while nothing of it changes. */
export function useSolver(model: ModelSettings, filling: number, selected: BandPoint | null): Solved {
  const [solved, setSolved] = useState<Solved>({ bands: null, report: null, failure: null });
  // The report may take a second; it must not stand between a slider and its bands.
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
