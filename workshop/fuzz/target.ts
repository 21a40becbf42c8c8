/** What a target is: it makes an input and follows it through everything the product does with it. */
import { ScienceError } from '@unitcell/errors';
import type { RandomSource } from '@unitcell/numerics';
import { HarvestFailed } from '../../apps/api/src/catalogue/harvest/harvest-optimade.ts';
import { RefusedUnit } from '../../apps/api/src/catalogue/import/draft/refused-unit.ts';
import { UnreadableSource } from '../../apps/api/src/catalogue/import/sources/unreadable-source.ts';
import { OptimadeError } from '../../apps/api/src/features/optimade/optimade-error.ts';
import { AppError } from '../../apps/api/src/messages/app-error.ts';

export type Outcome = 'accepted' | 'refused';

export interface Target {
  /** An input of this random source, as JSON can say it. */
  readonly make: (random: RandomSource) => unknown;
  /** Does with the input what the product does. What is thrown is a crash; refusals are an outcome. */
  readonly follow: (input: unknown) => Outcome | Promise<Outcome>;
}

/** Types the input of a target that `make` of the same target has made, or a fixture kept of it. */
export const target = <Input>(
  make: (random: RandomSource) => Input,
  follow: (input: Input) => Outcome | Promise<Outcome>,
): Target => ({ make, follow: (input) => follow(input as Input) });

const REFUSALS = [AppError, HarvestFailed, OptimadeError, RefusedUnit, ScienceError, UnreadableSource];

/** One of our errors, or what a refusal lists: a sentence for people. */
const isRefusal = (error: unknown): boolean => REFUSALS.some((kind) => error instanceof kind);

/** What it answers; null when it refuses by throwing one of our errors. Any other error is a crash. */
export function answerOf<T>(run: () => T): T | null {
  try {
    return run();
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

export const settled = (run: () => unknown): Outcome =>
  answerOf(() => ({ done: run() })) === null ? 'refused' : 'accepted';

/** The same for what is read from streams. */
export async function settledLater(run: () => Promise<unknown>): Promise<Outcome> {
  try {
    await run();
    return 'accepted';
  } catch (error) {
    if (isRefusal(error)) return 'refused';
    throw error;
  }
}

/** JSON as it comes over the wire: what JSON cannot say is gone. */
export const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
