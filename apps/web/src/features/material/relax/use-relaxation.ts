/** State of a relaxation: its worker, the steps so far, and the change of energy and cell. */
import { cellVolume, latticeParameters, type Structure } from '@unitcell/crystal';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { RelaxFailure, RelaxMessage, RelaxRequest, RelaxStep } from './relax-run.ts';

export type CoursePoint = Omit<RelaxStep, 'structure'>;

export interface RelaxState {
  readonly is: 'ready' | 'loading' | 'running' | 'stopped' | 'converged' | 'not-converged' | 'failed';
  readonly course: readonly CoursePoint[];
  readonly structure: Structure | null;
  readonly isChiral: boolean;
  readonly failure: RelaxFailure | null;
}

export const READY: RelaxState = {
  is: 'ready',
  course: [],
  structure: null,
  isChiral: false,
  failure: null,
};

export const isBusy = ({ is }: RelaxState): boolean => is === 'loading' || is === 'running';

export function afterMessage(state: RelaxState, message: RelaxMessage): RelaxState {
  if (message.kind === 'failed') return { ...state, is: 'failed', failure: message.why };
  if (message.kind === 'ended')
    return { ...state, is: message.isConverged ? 'converged' : 'not-converged', isChiral: message.isChiral };
  const { structure, ...point } = message.step;
  return { ...state, is: 'running', course: [...state.course, point], structure };
}

export interface RelaxChange {
  /** Change in % of the start. */
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
  readonly start: (request: RelaxRequest) => void;
  readonly stop: () => void;
}

/**
 * Runs one relaxation at a time in a worker, which is terminated when the relaxation ends or the component unmounts.
 */
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
