/**
 * Insertion electrodes of marked chemical systems, for every working ion. The hull derivation sets the marks
 * (see `hull.repository.ts`). An electrode belongs to the system of its discharged material. Its charged
 * material may lack the ion, so a mark on a system without the ion also applies to the system with the ion. A
 * transaction that stores the electrodes of some systems also removes their marks, so an interrupted run
 * resumes where it stopped.
 */
import { STATE_LIMIT } from '@unitcell/contract/electrodes';
import { atomCount, type Composition, parseFormula, reducedFormula } from '@unitcell/crystal';
import type { NotNull } from 'kysely';
import { announceCatalogueChange } from '../../infra/catalogue-cache.ts';
import type { Database, Db } from '../../infra/database.ts';
import { anyOf, batch, insertRows } from '../../infra/sql.ts';
import {
  type DerivedElectrode,
  deriveElectrodes,
  type ElectrodeWork,
  type HostMaterial,
  type HostRequest,
} from './derive-electrodes.ts';
import { inSequence } from './derive-in-parallel.ts';
import { unionWith, WORKING_IONS } from './derive-windows.ts';
import type { HullRepository } from './hull.repository.ts';
import { deriveMarked, piecesOf, type RederiveOptions } from './rederive-hulls.ts';

/** Name of this kind of work in the table of work pieces. */
export const ELECTRODES = 'electrodes';

const PIECE_SYSTEMS = 400;

/** Largest number of materials of one framework composition that are compared; the most stable are taken. */
const MAX_HOST_MATERIALS = 80;

interface ElectrodePiece {
  readonly functional: string;
  readonly releaseId: number;
  /** Chemical systems of discharged materials. */
  readonly systems: readonly string[];
}

export interface ElectrodeReport {
  readonly functional: string;
  readonly releaseId: number;
  readonly systems: number;
  readonly electrodes: number;
}

const ionsOf = (system: string): string[] => {
  const elements = system.split('-');
  return elements.length > 1 ? WORKING_IONS.filter((ion) => elements.includes(ion)) : [];
};

const withoutIon = (system: string, ion: string): string =>
  system
    .split('-')
    .filter((element) => element !== ion)
    .join('-');

/**
 * Systems whose electrodes may change with the energies of a system: the system itself, and the system plus each ion.
 */
export const electrodeSystems = (system: string, all: ReadonlySet<string>): string[] => [
  ...(ionsOf(system).length > 0 ? [system] : []),
  ...WORKING_IONS.map((ion) => unionWith(system, ion)).filter((union) => union !== system && all.has(union)),
];

interface EnergyOfMaterial {
  readonly structId: number;
  readonly chemicalSystem: string;
  readonly formulaReduced: string;
  readonly formationEnergyPerAtom: number;
  readonly energyAboveHull: number;
}

/** Materials of these systems that may be states of an electrode, the most stable first. */
const possibleStates = (
  db: Db,
  functional: string,
  systems: readonly string[],
): Promise<EnergyOfMaterial[]> =>
  db
    .selectFrom('material_energy as energy')
    .innerJoin('material', 'material.struct_id', 'energy.struct_id')
    .select(['material.struct_id as structId', 'energy.chemical_system as chemicalSystem'])
    .select(['formula_reduced as formulaReduced'])
    .select(['energy.formation_energy_per_atom as formationEnergyPerAtom'])
    .select(['energy.energy_above_hull as energyAboveHull'])
    .where('energy.functional', '=', functional)
    .where('energy.chemical_system', '=', anyOf(systems, 'text'))
    .where('energy.energy_above_hull', '<=', STATE_LIMIT)
    .where('energy.formation_energy_per_atom', 'is not', null)
    .$narrowType<{ formationEnergyPerAtom: NotNull; energyAboveHull: NotNull }>()
    .orderBy('energy.energy_above_hull')
    .orderBy('material.struct_id')
    .execute();

async function cellsOf(db: Db, ids: readonly number[]) {
  const rows = await db
    .selectFrom('material_structure')
    .select(['struct_id', 'given'])
    .where('struct_id', '=', anyOf(ids, 'int'))
    .execute();
  return new Map(rows.map(({ struct_id, given }) => [struct_id, given]));
}

/** Ion contents are rounded, so that equal contents from different formulas have the same key. */
const CONTENT_DECIMALS = 6;

/**
 * Groups materials of a system, and of the same system without the ion, by framework composition. Keeps only
 * groups with at least two different ion contents.
 */
function hostsOf(
  materials: readonly EnergyOfMaterial[],
  ion: string,
  compositionOf: (formula: string) => Composition,
): (readonly EnergyOfMaterial[])[] {
  const hosts = new Map<string, { readonly materials: EnergyOfMaterial[]; readonly contents: Set<string> }>();
  for (const material of materials) {
    const { [ion]: ions = 0, ...framework } = compositionOf(material.formulaReduced);
    if (Object.keys(framework).length === 0) continue;
    const key = reducedFormula(framework);
    const host = hosts.get(key) ?? { materials: [], contents: new Set() };
    hosts.set(key, host);
    if (host.materials.length >= MAX_HOST_MATERIALS) continue;
    host.materials.push(material);
    host.contents.add((ions / atomCount(framework)).toFixed(CONTENT_DECIMALS));
  }
  return [...hosts.values()].flatMap((host) => (host.contents.size > 1 ? [host.materials] : []));
}

/** Replaces the electrodes of these systems and removes their marks in one transaction. */
function replaceElectrodes(
  db: Db,
  { functional, releaseId, systems }: ElectrodePiece,
  derived: readonly DerivedElectrode[],
): Promise<void> {
  const rows = derived.map(({ ion, system, framework, electrode, charged, discharged, steps, states }) => ({
    discharged_id: discharged.structId,
    working_ion: ion,
    functional,
    charged_id: charged.structId,
    framework,
    chemical_system: system,
    elements: system.split('-'),
    charged_content: charged.content,
    discharged_content: discharged.content,
    average_voltage: electrode.averageVoltage,
    min_voltage: electrode.minVoltage,
    max_voltage: electrode.maxVoltage,
    capacity: electrode.capacityOfDischarged,
    charged_capacity: electrode.capacityOfCharged,
    volume_capacity: electrode.volumetricCapacity,
    specific_energy: electrode.specificEnergy,
    energy_density: electrode.energyDensity,
    volume_change: electrode.volumeChange,
    charged_above_hull: charged.aboveHull,
    discharged_above_hull: discharged.aboveHull,
    above_hull: Math.max(...states.map(({ isOnProfile, aboveHull }) => (isOnProfile ? aboveHull : 0))),
    steps,
    states,
    state_ids: states.map(({ structId }) => structId),
    release_id: releaseId,
  }));
  return db.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('electrode')
      .where('functional', '=', functional)
      .where('chemical_system', '=', anyOf(systems, 'text'))
      .execute();
    await insertRows(tx, 'electrode', rows);
    await tx
      .deleteFrom('dirty_electrode')
      .where('functional', '=', functional)
      .where('chemical_system', '=', anyOf(systems, 'text'))
      .execute();
    await announceCatalogueChange(tx);
  });
}

/** Returns the function that derives the electrodes of a piece of work. */
export function electrodePieces(
  { db }: Pick<Database, 'db'>,
  work: ElectrodeWork = async (hosts) => deriveElectrodes(hosts),
): (piece: ElectrodePiece) => Promise<{ readonly electrodes: number }> {
  const known = new Map<string, Composition>();
  const compositionOf = (formula: string): Composition => {
    const composition = known.get(formula) ?? parseFormula(formula);
    known.set(formula, composition);
    return composition;
  };
  return async (piece) => {
    const { functional, systems } = piece;
    const pairs = systems.flatMap((system) => ionsOf(system).map((ion) => ({ system, ion })));
    const read = new Set(pairs.flatMap(({ system, ion }) => [system, withoutIon(system, ion)]));
    const bySystem = new Map<string, EnergyOfMaterial[]>();
    for (const material of await possibleStates(db, functional, [...read])) {
      const others = bySystem.get(material.chemicalSystem);
      if (others) others.push(material);
      else bySystem.set(material.chemicalSystem, [material]);
    }
    const hosts = pairs.flatMap(({ system, ion }) =>
      hostsOf(
        [...(bySystem.get(system) ?? []), ...(bySystem.get(withoutIon(system, ion)) ?? [])].sort(
          (a, b) => a.energyAboveHull - b.energyAboveHull,
        ),
        ion,
        compositionOf,
      ).map((materials) => ({ system, ion, materials })),
    );
    const cells = await cellsOf(db, [
      ...new Set(hosts.flatMap(({ materials }) => materials.map(({ structId }) => structId))),
    ]);
    const requests = hosts.map(({ system, ion, materials }): HostRequest => {
      const withCells = materials.flatMap((material): HostMaterial[] => {
        const { structId, formationEnergyPerAtom, energyAboveHull } = material;
        const cell = cells.get(structId);
        return cell ? [{ structId, formationEnergyPerAtom, energyAboveHull, cell }] : [];
      });
      return { system, ion, materials: withCells };
    });
    const derived = requests.length > 0 ? await work(requests) : [];
    await replaceElectrodes(db, piece, derived);
    return { electrodes: derived.length };
  };
}

export function rederiveElectrodes(
  database: Pick<Database, 'db'>,
  hulls: HullRepository,
  work?: ElectrodeWork,
) {
  const { db } = database;

  /** Replaces each mark by marks on all systems whose electrodes it affects; returns those systems. */
  async function spreadMarks(functional: string): Promise<readonly string[]> {
    const all = new Set(await hulls.systems(functional));
    return db.transaction().execute(async (tx) => {
      const marks = await tx
        .deleteFrom('dirty_electrode')
        .where('functional', '=', functional)
        .returning('chemical_system')
        .execute();
      const affected = new Set(marks.flatMap((mark) => electrodeSystems(mark.chemical_system, all)));
      const rows = [...affected].sort().map((chemical_system) => ({ chemical_system }));
      await tx
        .insertInto('dirty_electrode')
        .columns(['chemical_system', 'functional'])
        .expression(({ selectFrom, val }) =>
          selectFrom(batch('marks', 'dirty_electrode', rows)).select([
            'marks.chemical_system',
            val(functional).as('functional'),
          ]),
        )
        .execute();
      return rows.map(({ chemical_system }) => chemical_system);
    });
  }

  async function deriveScale(
    functional: string,
    releaseId: number,
    { signal, onProgress, distribute = inSequence, pieceSystems = PIECE_SYSTEMS }: RederiveOptions,
  ): Promise<ElectrodeReport> {
    const affected = await spreadMarks(functional);
    const reports = await distribute({
      kind: ELECTRODES,
      inputs: piecesOf(affected, pieceSystems).map((systems) => ({ functional, releaseId, systems })),
      doTask: electrodePieces(database, work),
      signal,
      onProgress: (done) => onProgress?.(Math.min(affected.length, done * pieceSystems), affected.length),
    });
    const electrodes = reports.reduce((sum, report) => sum + report.electrodes, 0);
    return { functional, releaseId, systems: affected.length, electrodes };
  }

  return {
    /**
     * Derives the electrodes of everything marked, one scale after the other.
     * @returns one report per scale; null when another process is deriving
     */
    run: (options: RederiveOptions = {}): Promise<readonly ElectrodeReport[] | null> =>
      deriveMarked(hulls, 'electrodes', 'dirty_electrode', (functional, releaseId) =>
        deriveScale(functional, releaseId, options),
      ),

    /** Marks every system of every scale, so the next run derives all electrodes. */
    async markAll(): Promise<void> {
      await db
        .insertInto('dirty_electrode')
        .columns(['chemical_system', 'functional'])
        .expression(({ selectFrom }) =>
          selectFrom('material_energy').select(['chemical_system', 'functional']).distinct(),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  };
}
