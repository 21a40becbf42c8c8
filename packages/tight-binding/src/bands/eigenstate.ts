import type { Vec2 } from '../periodic-graph.ts';
import { TightBindingError } from '../tight-binding-error.ts';
import { createBlochSolver } from './bloch-solver.ts';
import type { TightBindingModel } from './model.ts';

/** Squared amplitudes that differ by less than this share are equal: the first site keeps the phase, whatever the rounding. */
const EQUAL_AMPLITUDES = 1e-9;

export interface BlochState {
  readonly energy: number;
  /** Amplitude on every site of cell (0, 0); cell R carries the same times exp(2πi k·R). */
  readonly amplitudes: readonly {
    readonly re: number;
    readonly im: number;
    readonly probability: number;
    readonly phaseRad: number;
  }[];
}

/**
 * State of one band at one k, normalised over the cell, with the largest amplitude made real and positive.
 * @throws TightBindingError `invalid-option` for a band that does not exist or a k that is no number.
 */
export function blochState(model: TightBindingModel, band: number, k: Vec2): BlochState {
  const solver = createBlochSolver(model);
  const n = solver.size;
  if (!Number.isInteger(band) || band < 0 || band >= n)
    throw new TightBindingError(
      'invalid-option',
      `band ${band} was asked for: ${model.net.id} has bands 0 to ${n - 1}`,
    );
  if (!k.every(Number.isFinite))
    throw new TightBindingError(
      'invalid-option',
      `k is (${k.join(', ')}): expected two numbers, fractions of the reciprocal vectors`,
    );
  const { values, vectorsRe, vectorsIm } = solver.states(k);
  const amplitudes = Array.from({ length: n }, (_, site) => ({
    re: vectorsRe[band * n + site],
    im: vectorsIm[band * n + site],
  }));
  const size = ({ re, im }: { re: number; im: number }) => re * re + im * im;
  const leader = amplitudes.reduce((best, own) =>
    size(own) > size(best) * (1 + EQUAL_AMPLITUDES) ? own : best,
  );
  const length = Math.sqrt(size(leader));
  const [c, s] = [leader.re / length, -leader.im / length];
  return {
    energy: values[band],
    amplitudes: amplitudes.map(({ re, im }) => {
      const [x, y] = [re * c - im * s, re * s + im * c];
      return { re: x, im: y, probability: x * x + y * y, phaseRad: Math.atan2(y, x) };
    }),
  };
}
