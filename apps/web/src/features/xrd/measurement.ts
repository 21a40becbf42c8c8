/** A measurement and what was done to it, step by step, so that every step can be undone. */
import type { XrdData } from '@unitcell/contract';

export type PatternStep = 'upload' | 'normalise' | 'background';

export interface Stage {
  readonly step: PatternStep;
  readonly data: XrdData;
}

export interface Measurement {
  readonly fileName: string;
  /** How the file was read, in the server's words. */
  readonly warnings: readonly string[];
  /** What was done, oldest first; never empty. */
  readonly stages: readonly [Stage, ...Stage[]];
}

/** Only the fields of a pattern: answers carry more. */
export const patternOf = ({ x, y, name, background_removed }: XrdData): XrdData => ({
  x,
  y,
  name,
  background_removed,
});

export const openMeasurement = (
  fileName: string,
  data: XrdData,
  warnings: readonly string[],
): Measurement => ({ fileName, warnings, stages: [{ step: 'upload', data: patternOf(data) }] });

export const withStep = (measurement: Measurement, step: PatternStep, data: XrdData): Measurement => ({
  ...measurement,
  stages: [...measurement.stages, { step, data: patternOf(data) }],
});

/** Without its last step; the upload itself stays. */
export function undone(measurement: Measurement): Measurement {
  const [first, ...rest] = measurement.stages;
  return { ...measurement, stages: [first, ...rest.slice(0, -1)] };
}

export const currentStage = ({ stages }: Measurement): Stage => stages.at(-1) ?? stages[0];

/**
 * The pattern before the last step on the scale of the pattern after it, or null where that shows nothing: only the
 * removal of a background changes the shape.
 */
export function patternBefore({ stages }: Measurement): XrdData | null {
  const last = stages.at(-1);
  const previous = stages.at(-2);
  return last?.step === 'background' && previous ? previous.data : null;
}
