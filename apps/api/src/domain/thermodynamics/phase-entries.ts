/**
 * What phase diagrams, electrochemical windows and interface reactions are made of: the phases of a chemical system
 * on one energy scale, remembered until the catalogue changes.
 */
import type { EnergyScale, EnergyScaleChoice } from '@unitcell/contract/phase-diagram';
import { subsystems } from '@unitcell/phase-equilibria';
import { type NotNull, sql } from 'kysely';
import type { CatalogueCaches } from '../../infra/catalogue-cache.ts';
import type { Database } from '../../infra/database.ts';
import { anyOf, columnsOf, currentStructId, lastRelease } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';

/** One material on one energy scale. */
export interface StoredPhase {
  readonly structId: number;
  readonly formulaReduced: string;
  /** eV/atom */
  readonly formationEnergyPerAtom: number;
  readonly spaceGroup: string;
}

interface CountedScale {
  readonly functional: string;
  /** Materials with an energy on it. */
  readonly materials: number;
}

/** A rebuild of derived data, with the day it was finished. */
interface Release {
  readonly id: number;
  readonly date: string;
}

type PhaseEntriesRepository = ReturnType<typeof phaseEntriesRepository>;

export function phaseEntriesRepository({ readDb }: Pick<Database, 'readDb'>) {
  const phasesOf = (functional: string) =>
    readDb
      .selectFrom('material_energy as energy')
      .innerJoin('material', 'material.struct_id', 'energy.struct_id')
      .select(['material.struct_id as structId', 'formula_reduced as formulaReduced'])
      .select(['space_group as spaceGroup', 'energy.formation_energy_per_atom as formationEnergyPerAtom'])
      .where('energy.functional', '=', functional)
      .where('energy.formation_energy_per_atom', 'is not', null)
      .$narrowType<{ formationEnergyPerAtom: NotNull }>();

  return {
    /** Every material of these chemical systems. */
    async phases(functional: string, systems: readonly string[]): Promise<StoredPhase[]> {
      return phasesOf(functional)
        .where('energy.chemical_system', '=', anyOf(systems, 'text'))
        .orderBy('material.struct_id')
        .execute();
    },

    /** The materials at most `tolerance` eV/atom above the hull of their own system, hence of every other. */
    async stablePhases(
      functional: string,
      systems: readonly string[],
      tolerance: number,
    ): Promise<StoredPhase[]> {
      return phasesOf(functional)
        .where('energy.chemical_system', '=', anyOf(systems, 'text'))
        .where('energy.energy_above_hull', '<=', tolerance)
        .orderBy('material.struct_id')
        .execute();
    },

    async lowestOfFormula(functional: string, formulaReduced: string): Promise<StoredPhase | null> {
      const lowest = await phasesOf(functional)
        .where('formula_reduced', '=', formulaReduced)
        .orderBy('energy.formation_energy_per_atom')
        .orderBy('material.struct_id')
        .limit(1)
        .executeTakeFirst();
      return lowest ?? null;
    },

    /** A material; its energy is null when this scale has none of it. */
    async material(functional: string, structId: number) {
      const found = await readDb
        .selectFrom('material')
        .leftJoin('material_energy as energy', (join) =>
          join.onRef('energy.struct_id', '=', 'material.struct_id').on('energy.functional', '=', functional),
        )
        .select(['material.struct_id as structId', 'formula_reduced as formulaReduced'])
        .select('space_group as spaceGroup')
        .select('energy.formation_energy_per_atom as formationEnergyPerAtom')
        .where('material.struct_id', '=', currentStructId(structId))
        .executeTakeFirst();
      return found ?? null;
    },

    /** Total energy per atom of the lowest entry of each element, where this scale has total energies. */
    async elementalEnergies(functional: string, elements: readonly string[]): Promise<Map<string, number>> {
      const rows = await readDb
        .selectFrom('material_energy')
        .select(({ fn }) => ['chemical_system', fn.min('energy_per_atom').as('energy')])
        .where('functional', '=', functional)
        .where('chemical_system', '=', anyOf(elements, 'text'))
        .where('energy_per_atom', 'is not', null)
        .groupBy('chemical_system')
        .$narrowType<{ energy: NotNull }>()
        .execute();
      return new Map(rows.map(({ chemical_system, energy }) => [chemical_system, energy]));
    },

    /** All scales that have energies, the largest first. */
    async scales(): Promise<readonly CountedScale[]> {
      return readDb
        .selectFrom('material_energy')
        .select(['functional', sql<number>`count(*)::int`.as('materials')])
        .groupBy('functional')
        .orderBy('materials', 'desc')
        .orderBy('functional')
        .execute();
    },

    /** The release of the catalogue that answers name, for each scale with hulls: one number, whatever part was rebuilt last. */
    async releases(functionals: readonly string[]): Promise<Map<string, Release>> {
      const functional = sql<string>`${columnsOf('release', 'hulls')('summary')} ->> 'functional'`;
      const finished = columnsOf('release', 'last')('finished_at');
      const rows = await readDb
        .selectFrom('release as hulls')
        .innerJoin('release as last', (join) => join.on('last.id', '=', lastRelease))
        .distinctOn(functional)
        .select([functional.as('functional'), 'last.id'])
        .select(sql<string>`to_char(${finished} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`.as('date'))
        .where('hulls.kind', '=', 'hulls')
        .where('hulls.finished_at', 'is not', null)
        .where(functional, '=', anyOf(functionals, 'text'))
        .execute();
      return new Map(rows.map((row) => [row.functional, { id: row.id, date: row.date }]));
    },
  };
}

// ── The rules ──

/** eV/atom. Phases this close to the hull count as on it when only the stable ones are read (rounding). */
const STABLE_TOLERANCE = 1e-6;
/** Systems remembered; a large one holds a few thousand phases, about 1 MB. */
const CACHED_SYSTEMS = 64;
const CACHED_SCALES = 64;

export interface PhaseEntries {
  /**
   * The scale asked for, or the site's own, with the release its hulls are of.
   * @throws AppError phase.unknown-scale
   */
  scale(requested?: string): Promise<EnergyScale>;
  /** All scales of the site: its own first, then the largest. */
  scales(): Promise<readonly EnergyScaleChoice[]>;
  /** The scale of answers to requests that name none. */
  readonly defaultFunctional: string;
  /**
   * All phases made of these elements, or some of them.
   * @throws AppError phase.no-data when nothing is known of an element
   */
  phases(functional: string, elements: readonly string[]): Promise<readonly StoredPhase[]>;
  /** The stable phases among them: what every hull, window and reaction stands on. */
  stablePhases(functional: string, elements: readonly string[]): Promise<readonly StoredPhase[]>;
  lowestOfFormula: PhaseEntriesRepository['lowestOfFormula'];
  material: PhaseEntriesRepository['material'];
  elementalEnergies: PhaseEntriesRepository['elementalEnergies'];
}

export const elementsOfFormula = (formula: string): readonly string[] => formula.match(/[A-Z][a-z]?/g) ?? [];

export function phaseEntries(
  repository: PhaseEntriesRepository,
  caches: CatalogueCaches,
  defaultFunctional: string,
): PhaseEntries {
  const systems = caches.create<readonly StoredPhase[]>(CACHED_SYSTEMS);
  const scales = caches.create<EnergyScale>(CACHED_SCALES);
  const choices = caches.create<readonly EnergyScaleChoice[]>(1);

  function assertKnown(
    functional: string,
    elements: readonly string[],
    phases: readonly StoredPhase[],
  ): void {
    const known = new Set(phases.flatMap(({ formulaReduced }) => elementsOfFormula(formulaReduced)));
    const missing = elements.filter((element) => !known.has(element));
    if (missing.length > 0) throw new AppError('phase.no-data', { elements: missing.join(', '), functional });
  }

  async function read(
    kind: 'all' | 'stable',
    functional: string,
    elements: readonly string[],
  ): Promise<readonly StoredPhase[]> {
    const names = subsystems(elements);
    const phases = await systems.remember(`${kind} ${functional} ${names.at(-1)}`, () =>
      kind === 'all'
        ? repository.phases(functional, names)
        : repository.stablePhases(functional, names, STABLE_TOLERANCE),
    );
    assertKnown(functional, elements, phases);
    return phases;
  }

  return {
    async scale(requested) {
      const functional = requested?.trim() || defaultFunctional;
      return scales.remember(functional, async () => {
        const release = (await repository.releases([functional])).get(functional) ?? null;
        if (release === null && functional !== defaultFunctional) {
          const known = (await repository.scales()).map((scale) => scale.functional);
          if (!known.includes(functional))
            throw new AppError('phase.unknown-scale', { functional, known: known.sort().join(', ') });
        }
        return { functional, release };
      });
    },
    defaultFunctional,
    scales: () =>
      choices.remember('', async () => {
        const counted = await repository.scales();
        const releases = await repository.releases(counted.map(({ functional }) => functional));
        const isOwn = ({ functional }: { readonly functional: string }) => functional === defaultFunctional;
        return counted
          .map((scale) => ({ ...scale, release: releases.get(scale.functional) ?? null }))
          .sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
      }),
    phases: (functional, elements) => read('all', functional, elements),
    stablePhases: (functional, elements) => read('stable', functional, elements),
    lowestOfFormula: repository.lowestOfFormula,
    material: repository.material,
    elementalEnergies: repository.elementalEnergies,
  };
}
