/** Phonon modes from force constants, solved in a worker: a wave vector of a cell of 100 atoms takes about a second. */
import type { PhononModes } from '@unitcell/contract/matdata';
import type { PhononsJson } from '@unitcell/contract/results';
import type { PredictedPhonons } from '@unitcell/contract/run4u';
import type { StoredForceConstants } from '@unitcell/material';
import { useEffect, useMemo } from 'react';

export interface SolvablePhonons {
  readonly structure: PhononsJson['structure'];
  readonly constants: StoredForceConstants;
}

/** The motion of the atoms in all modes of a wave vector, from the site or calculated here. */
export type ModesQuery = (q: readonly number[]) => {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<PhononModes>;
};

interface Asked {
  readonly q: readonly number[];
  readonly signal: AbortSignal;
  readonly resolve: (modes: PhononModes) => void;
  readonly reject: (error: Error) => void;
}

interface ModeSolver {
  readonly modesAt: (q: readonly number[], signal: AbortSignal) => Promise<PhononModes>;
  /** Ends the worker; it is opened again when modes are wanted. */
  readonly close: () => void;
}

/** Opens its worker when modes are first wanted, and again after an error. */
export function modeSolver(phonons: SolvablePhonons): ModeSolver {
  let worker: Worker | null = null;
  /** Requests without an answer; the first is being solved. */
  let asked: readonly Asked[] = [];
  const post = (message: SolvablePhonons | readonly number[]): void =>
    // A worker has no target origin; the rule is about windows.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker?.postMessage(message);
  const end = (why: string): void => {
    worker?.terminate();
    worker = null;
    const left = asked;
    asked = [];
    for (const { reject } of left) reject(new Error(why));
  };
  const solveNext = (): void => {
    // Clicks may come faster than the modes of a large crystal are solved: wave vectors in between are
    // skipped.
    asked = asked.filter(({ signal }) => !signal.aborted);
    if (asked[0]) post(asked[0].q);
  };
  const open = (): void => {
    worker = new Worker(new URL('./modes.worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<PhononModes>) => {
      const [first, ...others] = asked;
      asked = others;
      first?.resolve(data);
      solveNext();
    });
    worker.addEventListener('error', () => end('the phonon modes could not be solved'));
    post(phonons);
  };
  return {
    modesAt: (q, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('the phonon modes are no longer wanted')));
        if (!worker) open();
        asked = [...asked, { q, signal, resolve, reject }];
        if (asked.length === 1) solveNext();
      }),
    close: () => end('the phonons were closed'),
  };
}

let solvers = 0;

/** Modes calculated in the browser; null without force constants. */
export function useModes({ structure, force_constants: constants }: PredictedPhonons): ModesQuery | null {
  const solved = useMemo(
    () => constants && { id: ++solvers, ...modeSolver({ structure, constants }) },
    [structure, constants],
  );
  useEffect(() => solved?.close, [solved]);
  return useMemo(
    () =>
      solved
        ? (q) => ({
            queryKey: ['phonon-modes', solved.id, ...q],
            queryFn: ({ signal }) => solved.modesAt(q, signal),
          })
        : null,
    [solved],
  );
}
