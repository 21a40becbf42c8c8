/** A fuzz target: its inputs, and everything the product does with such an input. */
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
  readonly inputs: fc.Arbitrary<unknown>;
  /** Processes the input as the product does. An exception is a crash; a refusal is a valid outcome. */
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

/** Valid inputs: crystals, patterns, documents, tables, compressed files (base64), texts that people type. */
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

const REFUSALS = [AppError, HarvestFailed, OptimadeError, RefusedUnit, ScienceError, UnreadableSource];

function refused(error: unknown): null {
  if (REFUSALS.some((kind) => error instanceof kind)) return null;
  throw error;
}

/** The result; null for a refusal by one of our errors. Any other error is a crash. */
export function answerOf<T>(run: () => T): T | null {
  try {
    return run();
  } catch (error) {
    return refused(error);
  }
}

export const settled = (run: () => unknown): Outcome =>
  answerOf(() => ({ done: run() })) === null ? 'refused' : 'accepted';

export const settledLater = async (run: () => Promise<unknown>): Promise<Outcome> =>
  (await run().then(() => 'accepted' as const, refused)) ?? 'refused';
