/**
 * Imports a list of compositions known to be stable on an energy scale (docs/operating/operations.md):
 * formulas separated by white space, `~` after marginal ones, `:-1.784` (eV/atom) where the energy of the
 * lowest form is known, and `# scale:` and `# source:` lines at the start of the file.
 */
import { chemicalSystem, reducedFormula } from '@unitcell/crystal';
import { parseKnownPhases } from '@unitcell/phase-equilibria';
import { announceCatalogueChange } from '../../infra/catalogue-cache.ts';
import type { Database } from '../../infra/database.ts';
import { batch } from '../../infra/sql.ts';

export interface StableListReport {
  readonly functional: string;
  readonly compositions: number;
}

const headLine = (text: string, name: string): string | null =>
  new RegExp(`^# ${name}: *(.+)$`, 'm').exec(text)?.[1]?.trim() ?? null;

/** The header fields of a list; null if absent. */
export const headOfList = (text: string) => ({
  scale: headLine(text, 'scale'),
  source: headLine(text, 'source'),
});

/**
 * Replaces the list of the scale.
 * @param options.functional overrides the scale named in the list
 * @throws PhaseEquilibriaError naming a word that is not a formula; Error when scale or source is not stated or
 *   the list is empty
 */
export async function importStableList(
  { db }: Pick<Database, 'db'>,
  text: string,
  options: { readonly functional?: string | undefined; readonly source?: string | undefined } = {},
): Promise<StableListReport> {
  const head = headOfList(text);
  const functional = options.functional ?? head.scale;
  const source = options.source ?? head.source;
  if (functional === null) throw new Error('the list does not state its scale: add a line "# scale: NAME"');
  if (source === null) throw new Error('the list does not state its source: add a line "# source: TEXT"');
  const rows = [...parseKnownPhases(text).values()]
    .flat()
    .map(({ composition, isMarginal, formationEnergyPerAtom }) => ({
      functional,
      formula_reduced: reducedFormula(composition),
      chemical_system: chemicalSystem(composition),
      is_marginal: isMarginal,
      formation_energy_per_atom: formationEnergyPerAtom,
    }));
  if (rows.length === 0)
    throw new Error('the list contains no compositions; the stored list was not changed');
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('stable_list').where('functional', '=', functional).execute();
    await tx.insertInto('stable_list').values({ functional, source }).execute();
    const columns = [
      'functional',
      'formula_reduced',
      'chemical_system',
      'is_marginal',
      'formation_energy_per_atom',
    ] as const;
    await tx
      .insertInto('stable_composition')
      .columns(columns)
      .expression(({ selectFrom }) => selectFrom(batch('row', 'stable_composition', rows)).select(columns))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await announceCatalogueChange(tx);
  });
  return { functional, compositions: rows.length };
}
