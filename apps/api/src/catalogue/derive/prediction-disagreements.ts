/** Stored values outside the prediction intervals. After an import they may reveal errors in the imported data. */
import { PREDICTED_SCALE } from '@unitcell/contract/prediction';
import { type NotNull, sql } from 'kysely';
import {
  calculatedValues,
  disagreementsOf,
  type PredictionDisagreement,
} from '../../domain/prediction/predicted-values.ts';
import type { Database } from '../../infra/database.ts';
import { anyOf } from '../../infra/sql.ts';

export interface MaterialDisagreement extends PredictionDisagreement {
  readonly structId: number;
  readonly formula: string;
}

export interface DisagreementReport {
  /** Calculated values that have a prediction to compare with. */
  readonly compared: number;
  /** Number of the compared values that lie outside the 90 % interval; one in ten is expected. */
  readonly outside: number;
  /** The values with the largest deviations, at most `LISTED`. */
  readonly largest: readonly MaterialDisagreement[];
}

const PAGE = 5_000;
const LISTED = 100;

/** @param ids restricts the report to these materials */
export async function predictionDisagreements(
  { db }: Pick<Database, 'db'>,
  ids?: readonly number[],
): Promise<DisagreementReport> {
  const pageAfter = (structId: number) =>
    db
      .selectFrom('material_prediction as prediction')
      .innerJoin('material', 'material.struct_id', 'prediction.struct_id')
      .leftJoin('material_energy as energy', (join) =>
        join
          .onRef('energy.struct_id', '=', 'prediction.struct_id')
          .on('energy.functional', '=', PREDICTED_SCALE),
      )
      .select([
        'material.struct_id as structId',
        'material.formula',
        'material.functional',
        'prediction.values',
      ])
      .select(['energy.formation_energy_per_atom as formationEnergyPerAtom', 'material.band_gap as bandGap'])
      .select(['material.bulk_modulus as bulkModulus', 'material.shear_modulus as shearModulus'])
      .select(({ ref }) => sql`${ref('material.provenance')} -> 'elastic_tensor'`.as('elasticSource'))
      .where('prediction.values', 'is not', null)
      .where('material.struct_id', '>', structId)
      .$if(ids !== undefined, (query) => query.where('material.struct_id', '=', anyOf(ids ?? [], 'int')))
      .$narrowType<{ values: NotNull }>()
      .orderBy('material.struct_id')
      .limit(PAGE)
      .execute();
  const largest: MaterialDisagreement[] = [];
  let [compared, outside] = [0, 0];
  for (let page = await pageAfter(-1); page.length > 0; page = await pageAfter(page.at(-1)!.structId)) {
    for (const { structId, formula, values, formationEnergyPerAtom, ...stored } of page) {
      const calculated = calculatedValues({
        ...stored,
        energies: [{ functional: PREDICTED_SCALE, formationEnergyPerAtom }],
      });
      const found = disagreementsOf(values, calculated);
      compared += Object.values(calculated).filter((value) => value !== null).length;
      outside += found.length;
      largest.push(...found.map((disagreement) => ({ structId, formula, ...disagreement })));
    }
    largest.sort((a, b) => b.excess - a.excess);
    largest.length = Math.min(largest.length, LISTED);
  }
  return { compared, outside, largest };
}

const PROPERTY_NAMES = {
  formation_energy_per_atom: ['formation energy', 'eV/atom'],
  band_gap: ['band gap', 'eV'],
  bulk_modulus: ['bulk modulus', 'GPa'],
  shear_modulus: ['shear modulus', 'GPa'],
} as const;

/** Number of lines printed; the report contains more. */
const PRINTED = 20;
const figure = (value: number): string => Number(value.toPrecision(4)).toString();

/** The report as lines for the terminal; empty if nothing could be compared. */
export function disagreementLines({ compared, outside, largest }: DisagreementReport): string[] {
  if (compared === 0) return [];
  return [
    `  predictions: ${outside} of ${compared} values lie outside the 90 % interval (about ${Math.round(compared / 10)} are to be expected)${outside > 0 ? '; farthest:' : ''}`,
    ...largest.slice(0, PRINTED).map(({ structId, formula, property, calculated, low, high }) => {
      const [name, unit] = PROPERTY_NAMES[property];
      return `    ${formula} (${structId}): ${name} ${figure(calculated)} ${unit}, predicted ${figure(low)} to ${figure(high)}`;
    }),
  ];
}
