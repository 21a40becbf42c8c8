/** A relaxation as the page sees it: what its worker told so far, and what that comes to. */
import { cellVolume, latticeParameters, type Structure } from '@unitcell/crystal';
import type { RelaxFailure, RelaxMessage, RelaxStep } from './relax-run.ts';

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
  /** % of the start. */
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

/** meV/atom by which the energy has fallen. */
export const energyGained = (course: readonly CoursePoint[]): number =>
  1000 * ((course[0]?.energyPerAtom ?? 0) - (course.at(-1)?.energyPerAtom ?? 0));
