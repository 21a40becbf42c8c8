/**
 * Input of phase diagrams, electrochemical windows and interface reactions: the phases of a chemical system
 * on one energy scale, cached until the catalogue changes.
 */
import type { EnergyScaleChoice } from '@unitcell/contract/phase-diagram';
import type { EnergyScale } from '@unitcell/contract/common';
import { zeroOfScale } from '@unitcell/contract/phase-diagram/rules';
import { ON_HULL } from '@unitcell/material';
import { subsystems } from '@unitcell/phase-equilibria';
import { type NotNull, type RawBuilder, sql } from 'kysely';
import type { CatalogueCaches } from '../../infra/catalogue-cache.ts';
import type { Database, Db } from '../../infra/database.ts';
import { anyOf, columnsOf, currentStructId, lastRelease, prepared } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';

/** One material on one energy scale. */
export interface StoredPhase {
  readonly structId: number;
  readonly formulaReduced: string;
  /** eV/atom */
  readonly formationEnergyPerAtom: number;
  readonly spaceGroup: string;
  /** g/cm³; absent if the calculation does not depend on the volume. */
  readonly density?: number;
  /** `provenance.scale_failures` as imported; only where all phases of a system are read. */
  readonly scaleFailures?: unknown;
}

interface CountedScale {
  readonly functional: string;
  /** Number of materials with an energy on this scale. */
  readonly materials: number;
}

/** A rebuild of derived data, with its date. */
interface Release {
  readonly id: number;
  readonly date: string;
}
/** Cached systems; a large one has a few thousand phases, about 1 MB. */
const CACHED_SYSTEMS = 64;
/** Cached scales with all stable phases: 34,000 in a catalogue of 155,000 materials, about 8 MB. */
const CACHED_STABLE = 2;
const CACHED_SCALES = 64;

export type PhaseEntries = ReturnType<typeof phaseEntries>;

export const elementsOfFormula = (formula: string): readonly string[] => formula.match(/[A-Z][a-z]?/g) ?? [];

/** The name of the chemical system: `Co-Li-O`. */
export const systemOfFormula = (formula: string): string =>
  [...new Set(elementsOfFormula(formula))].sort().join('-');

const phasesOf = (on: Db, functional: string | RawBuilder<string>) =>
  on
    .selectFrom('material_energy as energy')
    .innerJoin('material', 'material.struct_id', 'energy.struct_id')
    .select(['material.struct_id as structId', 'formula_reduced as formulaReduced'])
    .select('material.density')
    .select(['space_group as spaceGroup', 'energy.formation_energy_per_atom as formationEnergyPerAtom'])
    .where('energy.functional', '=', functional)
    .where('energy.formation_energy_per_atom', 'is not', null)
    .$narrowType<{ formationEnergyPerAtom: NotNull }>();

const phasesOfSystems = (on: Db, functional: RawBuilder<string>, names: RawBuilder<readonly string[]>) =>
  phasesOf(on, functional)
    .where('energy.chemical_system', '=', anyOf(names, 'text'))
    .orderBy('material.struct_id');
const readAll = prepared(
  'phases-of-systems',
  (on, functional: RawBuilder<string>, names: RawBuilder<readonly string[]>) =>
    phasesOfSystems(on, functional, names).select(
      sql`${columnsOf('material')('provenance')} -> 'scale_failures'`.as('scaleFailures'),
    ),
);
const readStable = prepared(
  'stable-phases-of-systems',
  (on, functional: RawBuilder<string>, names: RawBuilder<readonly string[]>) =>
    phasesOfSystems(on, functional, names).where('energy.energy_above_hull', '<=', ON_HULL),
);

/** @param defaultFunctional the scale for requests that name none */
export function phaseEntries(
  { readDb }: Pick<Database, 'readDb'>,
  caches: CatalogueCaches,
  defaultFunctional: string,
) {
  const systems = caches.create<readonly StoredPhase[]>(CACHED_SYSTEMS);
  const stable = caches.create<ReadonlyMap<string, readonly StoredPhase[]>>(CACHED_STABLE);
  const scales = caches.create<EnergyScale>(CACHED_SCALES);
  const choices = caches.create<readonly EnergyScaleChoice[]>(1);

  /** All scales with energies, largest first. */
  async function countedScales(): Promise<readonly CountedScale[]> {
    return readDb
      .selectFrom('material_energy')
      .select(['functional', sql<number>`count(*)::int`.as('materials')])
      .groupBy('functional')
      .orderBy('materials', 'desc')
      .orderBy('functional')
      .execute();
  }

  /**
   * The release stated in answers, for each scale with hulls. It is the last release of the whole catalogue,
   * even if that release rebuilt other scales.
   */
  async function releasesOf(functionals: readonly string[]): Promise<Map<string, Release>> {
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
  }

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
      (kind === 'all' ? readAll : readStable)(readDb, functional, names),
    );
    assertKnown(functional, elements, phases);
    return phases;
  }

  /** All stable phases of a scale by chemical system. PostgreSQL needs longer to find 40,000 systems one by one. */
  async function stableBySystem(functional: string) {
    const phases = await phasesOf(readDb, functional)
      .where('energy.energy_above_hull', '<=', ON_HULL)
      .execute();
    const bySystem = new Map<string, StoredPhase[]>();
    for (const phase of phases) {
      const system = systemOfFormula(phase.formulaReduced);
      const known = bySystem.get(system);
      if (known === undefined) bySystem.set(system, [phase]);
      else known.push(phase);
    }
    return bySystem;
  }

  return {
    defaultFunctional,

    /**
     * The requested scale or the site's default, with the release of its hulls.
     * @throws AppError phase.unknown-scale
     */
    async scale(requested?: string): Promise<EnergyScale> {
      const functional = requested?.trim() || defaultFunctional;
      return scales.remember(functional, async () => {
        const release = (await releasesOf([functional])).get(functional) ?? null;
        if (release === null && functional !== defaultFunctional) {
          const known = (await countedScales()).map((scale) => scale.functional);
          if (!known.includes(functional))
            throw new AppError('phase.unknown-scale', { functional, known: known.sort().join(', ') });
        }
        return { functional, release };
      });
    },

    /** All scales of the site: its default first, then the largest. */
    scales: (): Promise<readonly EnergyScaleChoice[]> =>
      choices.remember('', async () => {
        const counted = await countedScales();
        const releases = await releasesOf(counted.map(({ functional }) => functional));
        const isOwn = ({ functional }: { readonly functional: string }) => functional === defaultFunctional;
        return counted
          .map((scale) => ({
            ...scale,
            counted_from: zeroOfScale(scale.functional),
            release: releases.get(scale.functional) ?? null,
          }))
          .sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
      }),

    /**
     * All phases of these elements or a subset of them.
     * @throws AppError phase.no-data when an element has no data
     */
    phases: (functional: string, elements: readonly string[]) => read('all', functional, elements),

    /**
     * The stable phases of these elements or a subset of them. Hulls, windows and reactions need no others,
     * because the hull of a larger system contains every phase that is on the hull of a smaller one.
     */
    stablePhases: (functional: string, elements: readonly string[]) => read('stable', functional, elements),

    /**
     * The stable phases, or all phases if a temperature is given, because phases that are unstable at
     * 0 K may be stable then.
     */
    phasesAt: (functional: string, elements: readonly string[], temperature: number | undefined) =>
      read(temperature === undefined ? 'stable' : 'all', functional, elements),

    /** The stable phases of exactly these chemical systems, for calculations over many systems. */
    async stablePhasesOf(functional: string, names: readonly string[]): Promise<StoredPhase[]> {
      const bySystem = await stable.remember(functional, () => stableBySystem(functional));
      return names.flatMap((name) => bySystem.get(name) ?? []).sort((a, b) => a.structId - b.structId);
    },

    async lowestOfFormula(functional: string, formulaReduced: string): Promise<StoredPhase | null> {
      const lowest = await phasesOf(readDb, functional)
        .where('formula_reduced', '=', formulaReduced)
        .orderBy('energy.formation_energy_per_atom')
        .orderBy('material.struct_id')
        .limit(1)
        .executeTakeFirst();
      return lowest ?? null;
    },

    /** The lowest entry of each formula, with its density in g/cm³; formulas without an energy are absent. */
    async lowestOfFormulas(functional: string, formulas: readonly string[]) {
      const rows = await phasesOf(readDb, functional)
        .where('formula_reduced', '=', anyOf(formulas, 'text'))
        .distinctOn('formula_reduced')
        .orderBy('formula_reduced')
        .orderBy('energy.formation_energy_per_atom')
        .orderBy('material.struct_id')
        .execute();
      return new Map(rows.map((row) => [row.formulaReduced, row]));
    },

    /** Returns a material; its energy is null if it has none on this scale. */
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

    /** Total energy per atom of the lowest entry of each element, if this scale has total energies. */
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
  };
}
