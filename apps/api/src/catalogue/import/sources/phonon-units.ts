/** Files of phonon calculations. The phonopy files of one folder make one unit; each database is its own unit. */
import { join } from 'node:path';
import type { SourceUnit } from '../draft/drafts-of-unit.ts';

const OF_PHONOPY =
  /^(?:phonopy(?:_disp|_params)?\.yaml|FORCE_SETS|FORCE_CONSTANTS|BORN|SPOSCAR|(?:.*[.-])?(?:band|mesh)\.yaml)$/;
const ALONE = /(?:^|[._-])DDB$|\.fc$/;

const lastName = (name: string): string => name.split(/[\\/]/).at(-1) ?? '';

/** Whether a file with this name, unpacked, belongs to a phonon calculation. */
export const isPhononFile = (name: string): boolean =>
  OF_PHONOPY.test(lastName(name)) || ALONE.test(lastName(name));

const unitOf = (label: string, texts: ReadonlyMap<string, string>): SourceUnit => ({
  label,
  format: 'phonons',
  text: JSON.stringify(Object.fromEntries(texts)),
});

/** Yields the units of the phonon files in one folder. */
export function* phononUnit(folder: string, texts: ReadonlyMap<string, string>): Generator<SourceUnit> {
  const [together, alone] = [false, true].map((isAlone) =>
    [...texts].filter(([name]) => ALONE.test(name) === isAlone),
  );
  // BORN and SPOSCAR are also in folders of other calculations.
  const isCalculation = together?.some(([name]) => name !== 'BORN' && name !== 'SPOSCAR') ?? false;
  if (together && isCalculation)
    yield unitOf(
      together.length === 1 ? join(folder, together[0]?.[0] ?? '') : folder || '.',
      new Map(together),
    );
  for (const [name, text] of alone ?? []) yield unitOf(join(folder, name), new Map([[name, text]]));
}
