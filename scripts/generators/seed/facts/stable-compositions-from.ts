/** The list of stable compositions from the public data sets beside the checkout. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { stableCompositionsText } from '../stable-compositions.ts';
import { completeEnergies } from './complete-energies.ts';
import { compositionKey } from './read-facts.ts';

/** @param folder that of the data sets */
export function stableCompositionsFrom(folder: string): string {
  const energies = new Map(
    [...completeEnergies(folder).values()]
      .flat()
      .map(({ formula, energyPerAtom }) => [compositionKey(formula), energyPerAtom]),
  );
  const table = gunzipSync(readFileSync(join(folder, 'mp2018-energies', 'ground_states.csv.gz')));
  return stableCompositionsText(table.toString('utf8'), (formula) => energies.get(compositionKey(formula)));
}
