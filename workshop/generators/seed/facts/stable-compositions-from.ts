/** The list of stable compositions from the public data sets beside the checkout. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { stableCompositionsText } from '../stable-compositions.ts';
import { completeEnergies } from './complete-energies.ts';
import { compositionKey } from './read-facts.ts';
import { stableByEnergies } from './stable-by-energies.ts';

/** As the list writes it: whole amounts of one formula unit, elements in alphabetical order. */
const alphabetical = (formula: string): string =>
  compositionKey(formula)
    .replaceAll(/([A-Za-z])1(?= |$)/g, '$1')
    .replaceAll(' ', '');

/** @param folder that of the data sets */
export function stableCompositionsFrom(folder: string): string {
  const systems = completeEnergies(folder);
  const energies = new Map(
    [...systems.values()]
      .flat()
      .map(({ formula, energyPerAtom }) => [compositionKey(formula), energyPerAtom]),
  );
  const table = gunzipSync(readFileSync(join(folder, 'mp2018-energies', 'ground_states.csv.gz')));
  return stableCompositionsText(
    table.toString('utf8'),
    (formula) => energies.get(compositionKey(formula)),
    (listed) => {
      const keys = new Set(listed.map(compositionKey));
      return stableByEnergies(systems, (key) => keys.has(key)).map(({ formula, depth }) => ({
        formula: alphabetical(formula),
        depth,
      }));
    },
  );
}
