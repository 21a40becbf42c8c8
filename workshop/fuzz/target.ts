/** What a target is: the inputs it takes, and the way of an input through everything the product does with it. */
import { readFileSync } from 'node:fs';
import { ScienceError } from '@unitcell/errors';
import type fc from 'fast-check';
import { HarvestFailed } from '../../apps/api/src/catalogue/harvest/harvest-optimade.ts';
import { RefusedUnit } from '../../apps/api/src/catalogue/import/draft/refused-unit.ts';
import { UnreadableSource } from '../../apps/api/src/catalogue/import/sources/unpack.ts';
import { OptimadeError } from '../../apps/api/src/features/optimade/envelope.ts';
import { AppError } from '../../apps/api/src/messages/app-error.ts';
import { damagedText } from './damage.ts';

export type Outcome = 'accepted' | 'refused';

export interface Target {
  /** Inputs, as JSON can say them. */
  readonly inputs: fc.Arbitrary<unknown>;
  /** Does with the input what the product does. What is thrown is a crash; refusals are an outcome. */
  readonly follow: (input: unknown) => Outcome | Promise<Outcome>;
}

export const target = <Input>(
  inputs: fc.Arbitrary<Input>,
  follow: (input: Input) => Outcome | Promise<Outcome>,
): Target => ({ inputs, follow: (input) => follow(input as Input) });

/** A target that reads damaged texts, at most `limit` characters. */
export const textTarget = (
  sources: readonly string[],
  follow: (text: string) => unknown,
  limit = 3000,
): Target => target(damagedText(sources, limit), (text) => settled(() => follow(text)));

/** Sound inputs: small crystals, measured patterns, documents of other databases, tables, packed files (base64), texts that people type. */
export const CORPUS = JSON.parse(
  readFileSync(new URL('./fixtures/corpus.json', import.meta.url), 'utf8'),
) as {
  readonly [Name in
    | 'cifs'
    | 'poscars'
    | 'patterns'
    | 'formulas'
    | 'elementQueries'
    | 'filters'
    | 'radiations'
    | 'optimadeFilters'
    | 'screenFilters'
    | 'maps'
    | 'tables'
    | 'pictures']: readonly string[];
} & {
  readonly [Name in 'structures' | 'importLines' | 'documents' | 'electrons' | 'pages']: readonly unknown[];
} & {
  readonly mappedDocument: unknown;
  readonly packed: Readonly<Record<string, string>>;
  readonly eigenval: string;
  readonly doscar: string;
};

/** Our own errors, or what a refusal lists: sentences for people. */
const REFUSALS = [AppError, HarvestFailed, OptimadeError, RefusedUnit, ScienceError, UnreadableSource];
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
