/** Electrodes: search, profiles for comparison, and the conversion of a material. */
import { parseStructId } from '@unitcell/contract/common';
import {
  type Electrode,
  getConversion,
  getElectrodes,
  type ElectrodeState,
  STATE_LIMIT,
} from '@unitcell/contract/electrodes';
import { atomCount, displayFormula, parseFormula, reducedFormula } from '@unitcell/crystal';
import { WORKING_ION_CHARGES } from '@unitcell/phase-equilibria';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { readIon } from '../../domain/query/query-text.ts';
import type { Services } from '../../domain/services.ts';
import { asFigure } from '../../domain/thermodynamics/phase-hull.ts';
import { elementsOfFormula } from '../../domain/thermodynamics/phase-entries.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import { anyOf, columnsOf, currentStructId } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';
import { electrodeSearchRoute, electrodesWithEnds, type FoundElectrode, rowOf } from './electrode-search.ts';
import type * as electrodesThread from './electrodes.thread.ts';

const electrode = columnsOf('electrode');

/** Number of materials without energy that are read to explain a missing electrode. */
const MAX_READ = 200;

export function electrodesFeature(app: FastifyInstance, services: Services): void {
  const { database, phaseEntries, completeness, threads } = services;
  const { readDb } = database;
  const handle = threads.open<typeof electrodesThread>(new URL('./electrodes.thread.ts', import.meta.url));
  electrodeSearchRoute(app, services);

  /**
   * A material with an energy on the scale and elements besides the ion.
   * @throws AppError material.not-found, ecwindow.no-energy, electrodes.only-ion
   */
  async function materialOf(functional: string, typed: string | number, ion: string) {
    const id = parseStructId(typed);
    const material = id === null ? null : await phaseEntries.material(functional, id);
    if (material === null) throw new AppError('material.not-found', { id: String(typed).slice(0, 20) });
    const { structId, formulaReduced, formationEnergyPerAtom } = material;
    if (formationEnergyPerAtom === null)
      throw new AppError('ecwindow.no-energy', { id: structId, functional });
    const elements = elementsOfFormula(formulaReduced);
    if (elements.every((element) => element === ion))
      throw new AppError('electrodes.only-ion', {
        formula: displayFormula(parseFormula(formulaReduced)),
        ion,
      });
    return { ...material, formationEnergyPerAtom, elements };
  }

  /** Materials of the same host with another ion content but without an energy on the scale: `MnO2 (107)`. */
  async function withoutEnergy(functional: string, formula: string, ion: string): Promise<string[]> {
    const { [ion]: ions = 0, ...host } = parseFormula(formula);
    const [hostFormula, elements] = [reducedFormula(host), Object.keys(host).sort()];
    const rows = await readDb
      .selectFrom('material')
      .leftJoin('material_energy as energy', (join) =>
        join.onRef('energy.struct_id', '=', 'material.struct_id').on('energy.functional', '=', functional),
      )
      .select(['material.struct_id', 'formula', 'formula_reduced'])
      .where(
        'material.chemical_system',
        '=',
        anyOf([elements.join('-'), [...elements, ion].sort().join('-')], 'text'),
      )
      .where('energy.formation_energy_per_atom', 'is', null)
      .orderBy('material.struct_id')
      .limit(MAX_READ)
      .execute();
    const content = ions / atomCount(host);
    return rows
      .flatMap((row) => {
        const { [ion]: others = 0, ...framework } = parseFormula(row.formula_reduced);
        const isHost = reducedFormula(framework) === hostFormula;
        const isOther = Math.abs(others / atomCount(framework) - content) > 1e-6;
        return isHost && isOther ? [`${row.formula} (${row.struct_id})`] : [];
      })
      .slice(0, 5);
  }

  /**
   * The electrode of an ion in which the material is a state.
   * @throws AppError electrodes.no-partner, electrodes.partner-without-energy
   */
  async function electrodeOf(
    functional: string,
    typed: string | number,
    ion: string,
  ): Promise<FoundElectrode> {
    const id = parseStructId(typed) ?? -1;
    const found = await electrodesWithEnds(readDb)
      .where('electrode.functional', '=', functional)
      .where('electrode.working_ion', '=', ion)
      .where(sql<boolean>`${electrode('state_ids')} @> ARRAY[${currentStructId(id)}]`)
      .executeTakeFirst();
    if (found) return found;
    const { structId, formulaReduced } = await materialOf(functional, typed, ion);
    const { [ion]: _ions, ...framework } = parseFormula(formulaReduced);
    const named = {
      id: structId,
      formula: displayFormula(parseFormula(formulaReduced)),
      ion,
      framework: displayFormula(framework),
      functional,
    };
    const others = await withoutEnergy(functional, formulaReduced, ion);
    throw others.length > 0
      ? new AppError('electrodes.partner-without-energy', { ...named, others: others.join(', ') })
      : new AppError('electrodes.no-partner', { ...named, limit: STATE_LIMIT });
  }

  async function detailOf(found: FoundElectrode): Promise<Electrode> {
    const ids = found.states.map(({ structId }) => structId);
    const names = await readDb
      .selectFrom('material')
      .select(['struct_id', 'formula', 'space_group'])
      .where('struct_id', '=', anyOf(ids, 'int'))
      .execute();
    const byId = new Map(names.map((row) => [row.struct_id, row]));
    const span = found.discharged_content - found.charged_content;
    const states = found.states.flatMap(
      ({ structId, content, volume, aboveHull, aboveProfile, isOnProfile }): ElectrodeState[] => {
        // A material may have been removed since the last derivation.
        const name = byId.get(structId);
        if (!name) return [];
        const capacity = asFigure((found.capacity * (content - found.charged_content)) / span);
        return [
          {
            ...name,
            content,
            capacity,
            volume,
            above_hull: aboveHull,
            above_profile: aboveProfile,
            on_profile: isOnProfile,
          },
        ];
      },
    );
    return {
      ...rowOf(found),
      charge: WORKING_ION_CHARGES[found.working_ion] ?? 1,
      charged_content: found.charged_content,
      discharged_content: found.discharged_content,
      steps: [...found.steps],
      states,
      completeness: await completeness.of(found.functional, found.elements, {
        above_hull: 'lower',
        charged_above_hull: 'lower',
        discharged_above_hull: 'lower',
      }),
    };
  }

  serveCall(app, getElectrodes, async ({ body }) => {
    const scale = await phaseEntries.scale(body.functional);
    const found = await Promise.all(
      body.electrodes.map(({ struct_id, ion }) => electrodeOf(scale.functional, struct_id, readIon(ion))),
    );
    const unique = new Map(found.map((one) => [`${one.discharged_id} ${one.working_ion}`, one]));
    return { ...done, electrodes: await Promise.all(Array.from(unique.values(), detailOf)), ...scale };
  });

  serveCall(app, getConversion, async ({ body, caller }) => {
    const scale = await phaseEntries.scale(body.functional);
    const { functional } = scale;
    const ion = readIon(body.ion);
    const { elements: own, ...target } = await materialOf(functional, body.struct_id, ion);
    const elements = [...new Set([...own, ion])];
    const stablePhases = await phaseEntries.stablePhases(functional, elements);
    const conversion = await handle.run(
      'conversionOfMaterial',
      { target, ion, elements, stablePhases },
      caller,
    );
    return {
      ...done,
      ...conversion,
      // A missing phase takes part in the reaction and may move any of these values.
      completeness: await completeness.of(functional, elements, { above_hull: 'lower' }),
      ...scale,
    };
  });
}
