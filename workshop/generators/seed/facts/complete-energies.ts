/**
 * The lowest formation energy of every composition on the seed's scale, from all facts at hand: what a hull of the seed would
 * look like if nothing were missing.
 *
 * Two tables hold it: energies by Materials Project id and cell, which the seed carries, and curated ground states. They come
 * from two states of that release whose reference energies differ for ten elements (caesium by 35 meV/atom); the shift per
 * element is found from the compositions both tables hold, and the ground states are moved onto the seed's scale.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Composition, parseFormula } from '@unitcell/crystal';
import { parseCsv } from '../csv.ts';
import { ARTEFACTS, MOST_ATOMS_OF_AN_ELEMENT } from '../stable-compositions.ts';
import { compositionKey } from './read-facts.ts';

export interface GroundState {
  readonly formula: string;
  readonly composition: Composition;
  /** eV/atom */
  readonly energyPerAtom: number;
}

/** eV/atom; a ground state deeper than every known structure by more than this belongs to a structure not at hand. */
const DEEPER = 0.003;
/** Larger differences are another polymorph, not another reference. */
const SAME_POLYMORPH = 0.03;
const ROUNDS = 15;

const gunzip = (path: string): string => gunzipSync(readFileSync(path)).toString('utf8');

/** eV/atom by composition, lowest verified structure (same id, same cell, within 2 meV, or the only one). */
function lowestStructures(folder: string): Map<string, { formula: string; energy: number }> {
  const lowest = new Map<string, { formula: string; energy: number }>();
  for (const name of readdirSync(join(folder, 'mp-structures')).filter((file) => file.endsWith('.gz')))
    for (const line of gunzip(join(folder, 'mp-structures', name)).split('\n')) {
      const found = /"formula":"([^"]*)".*"ef":(-?[\d.e-]+)/.exec(line);
      if (found === null || line.includes('"es":"gs?"')) continue;
      const [, formula = '', text] = found;
      const key = compositionKey(formula);
      const energy = Number(text);
      if (energy < (lowest.get(key)?.energy ?? Number.POSITIVE_INFINITY))
        lowest.set(key, { formula, energy });
    }
  return lowest;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** Shift of each element's reference, eV/atom: the medians that explain the differences best, element by element in turn. */
export function referenceShifts(
  differences: readonly { readonly fractions: Composition; readonly difference: number }[],
): ReadonlyMap<string, number> {
  const shifts = new Map<string, number>();
  const byElement = new Map<string, (typeof differences)[number][]>();
  for (const row of differences)
    for (const element of Object.keys(row.fractions))
      byElement.set(element, [...(byElement.get(element) ?? []), row]);
  for (let round = 0; round < ROUNDS; round++)
    for (const [element, rows] of byElement)
      shifts.set(
        element,
        median(
          rows.map(({ fractions, difference }) => {
            const others = Object.entries(fractions).reduce(
              (sum, [other, share]) => sum + (other === element ? 0 : share * (shifts.get(other) ?? 0)),
              0,
            );
            return (difference - others) / fractions[element];
          }),
        ),
      );
  return shifts;
}

const fractionsOf = (composition: Composition): Composition => {
  const size = Object.values(composition).reduce((sum, amount) => sum + amount, 0);
  return Object.fromEntries(Object.entries(composition).map(([element, amount]) => [element, amount / size]));
};

/** Ground states of all compounds by chemical system (`C-O`); elements are 0 and not listed. */
export function completeEnergies(folder: string): ReadonlyMap<string, readonly GroundState[]> {
  const lowest = lowestStructures(folder);
  const curated = parseCsv(gunzip(join(folder, 'mp2018-energies', 'ground_states.csv.gz'))).map((row) => {
    const formula = row['formula'] ?? '';
    const composition = parseFormula(formula);
    return {
      formula,
      key: compositionKey(formula),
      fractions: fractionsOf(composition),
      energy: Number(row['e_form_eV_atom']),
    };
  });
  const differences = curated.flatMap(({ key, fractions, energy }) => {
    const difference = (lowest.get(key)?.energy ?? Number.NaN) - energy;
    return Math.abs(difference) < SAME_POLYMORPH ? [{ fractions, difference }] : [];
  });
  const shifts = referenceShifts(differences);
  for (const { formula, key, fractions, energy } of curated) {
    if (formula in ARTEFACTS) continue;
    const moved = Object.entries(fractions).reduce(
      (sum, [element, share]) => sum + share * (shifts.get(element) ?? 0),
      energy,
    );
    if (moved < (lowest.get(key)?.energy ?? Number.POSITIVE_INFINITY) - DEEPER)
      lowest.set(key, { formula, energy: moved });
  }
  const systems = new Map<string, GroundState[]>();
  for (const { formula, energy } of lowest.values()) {
    const composition = parseFormula(formula);
    const elements = Object.keys(composition).sort();
    if (elements.length < 2 || formula in ARTEFACTS) continue;
    if (Math.max(...Object.values(composition)) > MOST_ATOMS_OF_AN_ELEMENT) continue;
    const system = elements.join('-');
    const list = systems.get(system) ?? [];
    list.push({ formula, composition, energyPerAtom: energy });
    systems.set(system, list);
  }
  return systems;
}
