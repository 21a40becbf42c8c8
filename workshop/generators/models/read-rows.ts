/** The structures of the training set, as its README describes them: one JSON object a line. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { latticeVectorsFromParameters, orderedSite, type Structure } from '@unitcell/crystal';

/** How the energy was joined to the structure, where that is sure (README of the set). */
export const SURE_LABELS: ReadonlySet<string> = new Set(['id', 'cell', 'near', 'comp']);

/** Å within which distances are equal: coordinates of the set are rounded at 1e-5 of the cell, so that equal distances differ by some 1e-4 Å. */
export const TRAINING_TOLERANCE = 0.01;

export interface Row {
  readonly id: string;
  readonly formula: string;
  readonly cell: string;
  readonly n: number;
  readonly hall?: number;
  readonly wyck?: string;
  readonly lat: readonly [number, number, number, number, number, number];
  readonly sp: readonly (string | number)[];
  readonly x: readonly number[];
  readonly ef?: number;
  readonly gap?: number;
  readonly eh?: number;
  readonly es?: string;
}

export function structureOf({ lat: [a, b, c, alpha, beta, gamma], sp, x }: Row): Structure {
  const symbols: string[] = [];
  for (let k = 0; k < sp.length; k += 2)
    for (let i = 0; i < Number(sp[k + 1]); i++) symbols.push(String(sp[k]));
  return {
    latticeVectors: latticeVectorsFromParameters({ a, b, c, alpha, beta, gamma }),
    sites: symbols.map((symbol, i) => orderedSite(symbol, [x[3 * i], x[3 * i + 1], x[3 * i + 2]])),
  };
}

export async function* readRows(file: string): AsyncGenerator<Row> {
  const lines = createInterface({ input: createReadStream(file).pipe(createGunzip()) });
  for await (const line of lines) yield JSON.parse(line) as Row;
}
