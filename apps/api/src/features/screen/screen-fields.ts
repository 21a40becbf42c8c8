/** The fields for screening: fields of a material, values on an energy scale, and other stored data. */
import { WORKING_IONS } from '@unitcell/contract/ecwindow';
import { ionElectrodeFields } from '@unitcell/contract/electrodes/rules';
import type { DerivedColumns } from '@unitcell/contract/matdata';
import { type FilterField, type FilterFields, materialFilterFields } from '@unitcell/filter';
import { conditionFields, FIELD_NAMES, fields, predictedFields } from '@unitcell/material';
import { type Expression, expressionBuilder, type RawBuilder, sql } from 'kysely';
import type { DB } from '../../generated/tables/tables.ts';
import { columnsOf } from '../../infra/sql.ts';

/** Values on the requested scale, from `material_energy`. */
export const SCALE_FIELDS = [
  'energy_per_atom',
  'formation_energy_per_atom',
  'energy_above_hull',
  ...conditionFields.map(({ name }) => name),
] as const;
type ScaleField = (typeof SCALE_FIELDS)[number];
export const isScaleField = (name: string): name is ScaleField =>
  SCALE_FIELDS.some((field) => field === name);

const material = columnsOf('material');
const energies = columnsOf('material_energy', 'energies');
const window = columnsOf('electrochemical_window');
const electrode = columnsOf('electrode');
const { selectFrom, exists } = expressionBuilder<DB, 'material'>();

/** A number of the electrochemical window on the requested scale with one working ion; V. */
interface WindowField {
  readonly ion: string;
  /** An expression on a row of `electrochemical_window`. */
  readonly sql: RawBuilder<number | null>;
}

const WINDOW_NUMBERS = {
  reduction_onset: window('reduction_onset'),
  oxidation_onset: window('oxidation_onset'),
  window_width: sql<
    number | null
  >`round((${window('oxidation_onset')} - ${window('reduction_onset')})::numeric, 8)::float8`,
} as const;

/**
 * Fields such as `reduction_onset_li`. The oxidation onset and the width are unknown if there is no upper
 * limit.
 */
export const WINDOW_FIELDS: ReadonlyMap<string, WindowField> = new Map(
  WORKING_IONS.flatMap((ion) =>
    Object.entries(WINDOW_NUMBERS).map(([name, number]): [string, WindowField] => [
      `${name}_${ion.toLowerCase()}`,
      { ion, sql: number },
    ]),
  ),
);

/** Fields such as `electrode_voltage_li`, of the electrode whose discharged end is the material. */
export const ION_ELECTRODE_FIELDS = ionElectrodeFields(WORKING_IONS);

interface DerivedField {
  readonly type: 'text' | 'flag';
  readonly sql: Expression<unknown>;
}

/** SQL of fields that are not columns of `material`. */
const DERIVED = {
  has_dos: {
    type: 'flag',
    sql: exists(
      selectFrom('density_of_states as d')
        .select('d.struct_id')
        .whereRef('d.struct_id', '=', 'material.struct_id'),
    ),
  },
  topology_class: {
    type: 'text',
    sql: selectFrom('topology as t')
      .select(({ ref }) => sql`${ref('t.rows')} -> 0 ->> 'Class'`.as('class'))
      .whereRef('t.struct_id', '=', 'material.struct_id'),
  },
  /** Space group and occupied Wyckoff positions, independent of the elements: `225:a4 b4`. */
  prototype: {
    type: 'text',
    sql: selectFrom('structure_arrangement as a')
      .select('a.prototype')
      .whereRef('a.struct_id', '=', 'material.struct_id'),
  },
  has_predicted: {
    type: 'flag',
    sql: exists(
      selectFrom('material_prediction as p')
        .select('p.struct_id')
        .whereRef('p.struct_id', '=', 'material.struct_id')
        .where('p.values', 'is not', null),
    ),
  },
  /** ISO text that sorts by time: `added > "2026-11-22"`. */
  added: {
    type: 'text',
    sql: sql`to_char(${material('created_at')} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  },
} as const satisfies Readonly<Record<keyof DerivedColumns, DerivedField>>;
export const DERIVED_FIELDS: Readonly<Record<string, DerivedField>> = DERIVED;

/** Fields that are columns of `material`, by name. */
const COLUMNS: ReadonlyMap<string, RawBuilder<unknown>> = new Map(
  FIELD_NAMES.map((name) => [fields[name].column, material(fields[name].column)]),
);

/** All fields without the energy of the cell, which is known only on the material's own scale. */
export const SCREEN_FIELDS: FilterFields = new Map<string, FilterField>([
  ...[...materialFilterFields()].filter(([name]) => name !== 'energy'),
  ...Object.entries(DERIVED_FIELDS).map(([name, { type }]): [string, FilterField] => [name, { type }]),
  ...[...predictedFields, ...conditionFields].map(({ name, unit }): [string, FilterField] => [
    name,
    { type: 'number', unit },
  ]),
  ...[...WINDOW_FIELDS.keys()].map((name): [string, FilterField] => [name, { type: 'number', unit: 'V' }]),
  ...[...ION_ELECTRODE_FIELDS].map(([name, { type, unit }]): [string, FilterField] => [
    name,
    type === 'number' ? { type, unit } : { type },
  ]),
]);

/** A field as SQL; energies on the scale come from the joined table `energies`. @param scale name of the scale */
export function sqlOf(name: string, scale: string): Expression<unknown> {
  const ofWindow = WINDOW_FIELDS.get(name);
  if (ofWindow)
    return selectFrom('electrochemical_window')
      .select(ofWindow.sql.as('number'))
      .whereRef('electrochemical_window.struct_id', '=', 'material.struct_id')
      .where('working_ion', '=', ofWindow.ion)
      .where('electrochemical_window.functional', '=', scale);
  const ofElectrode = ION_ELECTRODE_FIELDS.get(name);
  if (ofElectrode)
    return selectFrom('electrode')
      .select(electrode(ofElectrode.column).as('value'))
      .whereRef('electrode.discharged_id', '=', 'material.struct_id')
      .where('electrode.working_ion', '=', ofElectrode.ion)
      .where('electrode.functional', '=', scale);
  const predicted = predictedFields.find((field) => field.name === name);
  if (predicted?.method === 'prediction')
    return selectFrom('material_prediction as p')
      .select(`p.${predicted.column}`)
      .whereRef('p.struct_id', '=', 'material.struct_id');
  if (predicted)
    return selectFrom('potential_prediction as p')
      .select(`p.${predicted.column}`)
      .whereRef('p.struct_id', '=', 'material.struct_id');
  if (isScaleField(name)) return energies(name);
  const found = DERIVED_FIELDS[name]?.sql ?? COLUMNS.get(name);
  if (!found) throw new RangeError(`there is no field ${name}`);
  return found;
}
