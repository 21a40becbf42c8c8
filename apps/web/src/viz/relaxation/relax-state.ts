/** The state of a relaxation: its worker, the steps so far, and the change of energy and cell. */
import type { PredictedPhonons } from '@unitcell/contract/run4u';
import { cellVolume, latticeParameters, type Structure } from '@unitcell/crystal';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { RelaxFailure, RelaxMessage, RelaxRequest, RelaxStep, Still } from './relax-run.ts';

export type CoursePoint = Omit<RelaxStep, 'structure'>;

/** Phonons of the relaxed crystal: being calculated, calculated, or refused. */
export type PhononState =
  /** The number of displacements is 0 until it is known. */
  | { readonly is: 'running'; readonly number: number; readonly count: number }
  | { readonly is: 'solved'; readonly phonons: PredictedPhonons }
  | { readonly is: 'failed'; readonly why: RelaxFailure };

export interface RelaxState {
  readonly is: 'ready' | 'loading' | 'running' | 'stopped' | 'converged' | 'not-converged' | 'failed';
  readonly course: readonly CoursePoint[];
  readonly structure: Structure | null;
  readonly isChiral: boolean;
  readonly failure: RelaxFailure | null;
  readonly phonons: PhononState | null;
}

export const READY: RelaxState = {
  is: 'ready',
  course: [],
  structure: null,
  isChiral: false,
  failure: null,
  phonons: null,
};

export const isBusy = ({ is, phonons }: RelaxState): boolean =>
  is === 'loading' || is === 'running' || phonons?.is === 'running';

export function afterMessage(state: RelaxState, message: RelaxMessage): RelaxState {
  if (message.kind === 'still') return state;
  if (message.kind === 'displacement') {
    const { number, count } = message;
    return { ...state, phonons: { is: 'running', number, count } };
  }
  if (message.kind === 'phonons') return { ...state, phonons: { is: 'solved', phonons: message.phonons } };
  if (message.kind === 'no-phonons') return { ...state, phonons: { is: 'failed', why: message.why } };
  if (message.kind === 'failed') return { ...state, is: 'failed', failure: message.why };
  if (message.kind === 'ended')
    return { ...state, is: message.isConverged ? 'converged' : 'not-converged', isChiral: message.isChiral };
  const { structure, ...point } = message.step;
  return { ...state, is: 'running', course: [...state.course, point], structure };
}

export interface RelaxChange {
  /** Change relative to the initial structure, %. */
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly volume: number;
}

export function changeOf(start: Structure, end: Structure): RelaxChange {
  const [from, to] = [latticeParameters(start.latticeVectors), latticeParameters(end.latticeVectors)];
  const percent = (after: number, before: number): number => 100 * (after / before - 1);
  return {
    a: percent(to.a, from.a),
    b: percent(to.b, from.b),
    c: percent(to.c, from.c),
    volume: percent(cellVolume(end.latticeVectors), cellVolume(start.latticeVectors)),
  };
}

/** Energy decrease in meV/atom. */
export const energyGained = (course: readonly CoursePoint[]): number =>
  1000 * ((course[0]?.energyPerAtom ?? 0) - (course.at(-1)?.energyPerAtom ?? 0));

export interface Relaxing {
  readonly state: RelaxState;
  /** The last structure that was evaluated. */
  readonly still: Still | null;
  readonly start: (request: RelaxRequest) => void;
  readonly evaluate: (request: RelaxRequest) => void;
  /** Calculates the phonons of the relaxed structure. */
  readonly solvePhonons: () => void;
  readonly stop: () => void;
}

/** Runs relaxations in a worker, which is terminated when one is stopped or fails, or the component unmounts. */
export function useRelaxation(): Relaxing {
  const [state, setState] = useState(READY);
  const [still, setStill] = useState<Still | null>(null);
  const worker = useRef<Worker | null>(null);
  /**
   * What to evaluate after the current structure; null: nothing; undefined: no structure is being evaluated.
   */
  const next = useRef<RelaxRequest | null | undefined>(undefined);
  const isForPhonons = useRef(false);
  const end = useCallback((): void => {
    worker.current?.terminate();
    worker.current = null;
    next.current = undefined;
  }, []);
  useEffect(() => end, [end]);

  function open(): Worker {
    const made = new Worker(new URL('./relax.worker.ts', import.meta.url), { type: 'module' });
    const take = (message: RelaxMessage): void => {
      if (worker.current !== made) return;
      setState((now) => afterMessage(now, message));
      if (message.kind === 'failed' || message.kind === 'no-phonons') end();
      if (message.kind !== 'still') return;
      setStill(message.still);
      const waiting = next.current;
      next.current = undefined;
      if (waiting) evaluate(waiting);
    };
    made.addEventListener('message', ({ data }: MessageEvent<RelaxMessage>) => take(data));
    made.addEventListener('error', () =>
      take({ kind: isForPhonons.current ? 'no-phonons' : 'failed', why: 'other' }),
    );
    return made;
  }
  function send(request: RelaxRequest): void {
    isForPhonons.current = request.only === 'phonons';
    worker.current ??= open();
    // A worker has no target origin; the rule is about windows.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.current.postMessage(request);
  }
  // A slider moves faster than a large crystal is evaluated: positions in between are skipped.
  function evaluate(request: RelaxRequest): void {
    const isWaiting = next.current !== undefined;
    next.current = isWaiting ? request : null;
    if (!isWaiting) send({ ...request, only: 'still' });
  }
  return {
    state,
    still,
    evaluate(request) {
      setState(READY);
      evaluate(request);
    },
    start(request) {
      setState({ ...READY, is: 'loading' });
      send(request);
    },
    solvePhonons() {
      if (!state.structure) return;
      setState((now) => ({ ...now, phonons: { is: 'running', number: 0, count: 0 } }));
      send({ structure: state.structure, hall: 'P 1', only: 'phonons' });
    },
    stop() {
      end();
      setState((now) => {
        if (now.phonons) return { ...now, phonons: null };
        return { ...now, is: now.course.length > 0 ? 'stopped' : 'ready' };
      });
    },
  };
}
