/**
 * The public data sets from which rows of the seed are taken, as they lie in a folder beside the checkout (their READMEs
 * give origin and licence). The seed is generated without them; only the programs that add rows read them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { formulaUnits, parseFormula } from '@unitcell/crystal';
import { parseCsv } from '../csv.ts';

/** A computed structure of the Materials Project with what is known of its energy. */
export interface ComputedEntry {
  /** `mp-…` */
  readonly id: string;
  /** Content of the cell. */
  readonly cell: string;
  readonly n: number;
  readonly sg: number;
  /** a, b, c in Å, angles in degrees. */
  readonly lat: readonly [number, number, number, number, number, number];
  /** Element, count, element, count … in the order of the sites. */
  readonly sp: readonly (string | number)[];
  /** Three fractional coordinates per site. */
  readonly x: readonly number[];
  /** eV/atom; how it was assigned: the same id, the only entry with that cell, within 2 meV, the only structure, unverified. */
  readonly ef?: number;
  readonly es?: 'id' | 'cell' | 'near' | 'comp' | 'gs?';
  /** eV */
  readonly gap?: number;
}

/** Equal for equal reduced compositions: elements alphabetical, `Al2Ca`. */
export function compositionKey(formula: string): string {
  const composition = parseFormula(formula);
  const units = formulaUnits(composition);
  return Object.keys(composition)
    .sort()
    .map((element) => `${element}${Math.round(composition[element] / units)}`)
    .join(' ');
}

const gunzip = (path: string): string => gunzipSync(readFileSync(path)).toString('utf8');

/** Structures by composition; only the compositions asked for are kept (155,000 would fill the memory). */
export function readComputedEntries(
  folder: string,
  isWanted: (key: string) => boolean,
): Map<string, ComputedEntry[]> {
  const entries = new Map<string, ComputedEntry[]>();
  for (const name of readdirSync(join(folder, 'mp-structures')).sort()) {
    if (!name.endsWith('.jsonl.gz')) continue;
    for (const line of gunzip(join(folder, 'mp-structures', name)).split('\n')) {
      if (line === '') continue;
      const formula = /"formula":"([^"]*)"/.exec(line)?.[1] ?? '';
      const key = compositionKey(formula);
      if (!isWanted(key)) continue;
      const list = entries.get(key) ?? [];
      list.push(JSON.parse(line) as ComputedEntry);
      entries.set(key, list);
    }
  }
  return entries;
}

/** Compositions with a measured enthalpy of formation (SGTE substance data and others): proof that they were made. */
export const readMeasuredCompositions = (folder: string): ReadonlySet<string> =>
  new Set(
    parseCsv(readFileSync(join(folder, 'expt-thermo', 'formation_enthalpy_expt_eV_atom.csv'), 'utf8'))
      .filter((row) => row['source'] === 'ssub')
      .map((row) => compositionKey(row['formula'] ?? '')),
  );

/** `composition key, space group` of crystals listed in the symmetry-indicator paper, which took them from the ICSD. */
export const readClassifiedCrystals = (folder: string): ReadonlySet<string> =>
  new Set(
    parseCsv(readFileSync(join(folder, 'topology', 'symmetry_indicator_classes.csv'), 'utf8')).map(
      (row) => `${compositionKey(row['formula'] ?? '')}, ${row['space_group']}`,
    ),
  );
