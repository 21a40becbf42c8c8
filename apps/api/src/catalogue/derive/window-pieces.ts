/**
 * One piece of a scale's windows: some chemical systems, each with the working ions whose windows are derived
 * again.
 */
import { atomicFractions, type Composition, parseFormula } from '@unitcell/crystal';
import { type NotNull, sql } from 'kysely';
import { announceCatalogueChange } from '../../infra/catalogue-cache.ts';
import type { Database, Db } from '../../infra/database.ts';
import { anyOf, batch, columnsOf } from '../../infra/sql.ts';
import {
  type DerivedWindow,
  deriveWindows,
  type StablePhase,
  type WindowTarget,
  type WindowWork,
  withIon,
  WORKING_IONS,
} from './derive-windows.ts';
import { STABLE_TOLERANCE } from './hull-pieces.ts';
import type { HullRepository } from './hull.repository.ts';
import { systemIndex } from './system-index.ts';

/** The kind of these pieces. */
export const WINDOWS = 'windows';

/** Largest energy above the hull, eV/atom, at which a material gets windows. Such phases are commonly synthesised. */
export const METASTABLE_LIMIT = 0.1;

export interface WindowPiece {
  readonly functional: string;
  readonly releaseId: number;
  readonly affected: readonly (readonly [system: string, ions: readonly string[]])[];
}

export interface WindowPieceReport {
  readonly windows: number;
}

/** Materials of these systems that are at most `aboveHull` eV/atom above the hull. */
const near = (db: Db, functional: string, systems: readonly string[], aboveHull: number) =>
  db
    .selectFrom('material_energy as energy')
    .innerJoin('material', 'material.struct_id', 'energy.struct_id')
    .select(['material.struct_id as structId', 'energy.chemical_system as chemicalSystem'])
    .select('formula_reduced as formulaReduced')
    .where('energy.functional', '=', functional)
    .where('energy.chemical_system', '=', anyOf(systems, 'text'))
    .where('energy.energy_above_hull', '<=', aboveHull)
    .orderBy('material.struct_id');

/** The ions for which this scale has an entry. */
async function availableIons(db: Db, functional: string, ions: readonly string[]): Promise<string[]> {
  const material = columnsOf('material');
  const has = db
    .selectFrom('material_energy as energy')
    .innerJoin('material', 'material.struct_id', 'energy.struct_id')
    .select('energy.struct_id')
    .where(sql<boolean>`${material('elements')} @> ARRAY[ion]`)
    .where('energy.functional', '=', functional)
    .where('energy.energy_above_hull', 'is not', null);
  const some = sql<string[]>`array(SELECT ion FROM unnest(${[...ions]}::text[]) AS ion WHERE EXISTS ${has})`;
  const { available } = await db.selectNoFrom(some.as('available')).executeTakeFirstOrThrow();
  return available;
}

/** Replaces the windows of these systems with these ions and removes their marks in one transaction. */
function replaceWindows(
  db: Db,
  functional: string,
  releaseId: number,
  replaced: ReadonlyMap<string, readonly string[]>,
  windows: readonly DerivedWindow[],
): Promise<void> {
  const pairs = [...replaced].flatMap(([system, ions]) => ions.map((ion) => [system, ion] as const));
  const old = sql<{ system: string; ion: string }>`unnest(
    ${pairs.map(([system]) => system)}::text[], ${pairs.map(([, ion]) => ion)}::text[])`.as<'old'>(
    sql`old (system, ion)`,
  );
  const made = windows.map(({ structId, workingIon, reductionOnset, oxidationOnset }) => ({
    struct_id: structId,
    working_ion: workingIon,
    reduction_onset: reductionOnset,
    oxidation_onset: oxidationOnset,
  }));
  return db.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('electrochemical_window as window')
      .using(['material_energy as energy'])
      .using(old)
      .where('energy.functional', '=', functional)
      .whereRef('energy.chemical_system', '=', 'old.system')
      .whereRef('window.struct_id', '=', 'energy.struct_id')
      .where('window.functional', '=', functional)
      .whereRef('window.working_ion', '=', 'old.ion')
      .execute();
    await tx
      .insertInto('electrochemical_window')
      .columns(['struct_id', 'working_ion', 'reduction_onset', 'oxidation_onset', 'functional', 'release_id'])
      .expression(({ selectFrom, val }) =>
        selectFrom(batch('made', 'electrochemical_window', made))
          .select(['made.struct_id', 'made.working_ion', 'made.reduction_onset', 'made.oxidation_onset'])
          .select([val(functional).as('functional'), sql<number>`${releaseId}::int`.as('release_id')]),
      )
      .execute();
    await tx
      .deleteFrom('dirty_window')
      .where('functional', '=', functional)
      .where('chemical_system', '=', anyOf([...replaced.keys()], 'text'))
      .execute();
    await announceCatalogueChange(tx);
  });
}

/** Derives pieces. Stable phases read for one piece are cached for later pieces of the same release. */
export function windowPieces(
  { db }: Pick<Database, 'db'>,
  hulls: HullRepository,
  work: WindowWork = async (request) => deriveWindows(request),
): (piece: WindowPiece) => Promise<WindowPieceReport> {
  const known = new Map<string, Composition>();
  const fractionsOf = (formula: string): Composition => {
    let fractions = known.get(formula);
    if (!fractions) {
      fractions = atomicFractions(parseFormula(formula));
      known.set(formula, fractions);
    }
    return fractions;
  };

  const openRelease = async (functional: string) => {
    const all = await hulls.systems(functional);
    return {
      existing: new Set(all),
      index: systemIndex(all),
      available: await availableIons(db, functional, WORKING_IONS),
      /** Stable phases by system, read on first use. */
      stable: new Map<string, readonly StablePhase[]>(),
    };
  };
  let last: { readonly releaseId: number; readonly opened: ReturnType<typeof openRelease> } | null = null;

  return async ({ functional, releaseId, affected }) => {
    if (last?.releaseId !== releaseId) last = { releaseId, opened: openRelease(functional) };
    const { existing, index, available, stable } = await last.opened;
    const ions = new Map(affected);
    const ionsOf = (system: string): readonly string[] =>
      available.filter((ion) => ions.get(system)?.includes(ion));
    /** The system itself, if it exists, and all systems within it. */
    const within = (union: string): string[] => [
      ...(existing.has(union) ? [union] : []),
      ...index.properSubsets(union),
    ];

    const targets = new Map<string, WindowTarget[]>();
    for (const row of await near(db, functional, [...ions.keys()], METASTABLE_LIMIT).execute()) {
      const target = { ...row, fractions: fractionsOf(row.formulaReduced) };
      const list = targets.get(row.chemicalSystem);
      if (list) list.push(target);
      else targets.set(row.chemicalSystem, [target]);
    }
    const parts = new Map<string, readonly string[]>();
    for (const system of targets.keys())
      for (const ion of ionsOf(system)) {
        const union = withIon(system, ion);
        if (!parts.has(union)) parts.set(union, within(union));
      }
    const missing = [...new Set([...parts.values()].flat())].filter((name) => !stable.has(name));
    const found = new Map<string, StablePhase[]>(missing.map((name) => [name, []]));
    const rows =
      missing.length === 0
        ? []
        : await near(db, functional, missing, STABLE_TOLERANCE)
            .select('energy.formation_energy_per_atom as formationEnergyPerAtom')
            .where('energy.formation_energy_per_atom', 'is not', null)
            .$narrowType<{ formationEnergyPerAtom: NotNull }>()
            .execute();
    for (const { chemicalSystem, structId, formulaReduced, formationEnergyPerAtom } of rows)
      found
        .get(chemicalSystem)
        ?.push({ structId, fractions: fractionsOf(formulaReduced), formationEnergyPerAtom });
    for (const [name, phases] of found) stable.set(name, phases);

    const made = await work({
      systems: [...targets].map(([system, list]) => [system, list, ionsOf(system)]),
      parts,
      stable: new Map([...parts.values()].flat().map((name) => [name, stable.get(name) ?? []])),
    });
    await replaceWindows(db, functional, releaseId, ions, made);
    return { windows: made.length };
  };
}
