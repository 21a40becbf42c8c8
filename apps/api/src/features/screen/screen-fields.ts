/** What materials can be screened by: the fields of a material, what hangs on an energy scale, and what else is stored of them. */
import { WORKING_IONS } from '@unitcell/contract/ecwindow';
import { type FilterField, type FilterFields, materialFilterFields } from '@unitcell/filter';
import { predictedFieldOf, predictedFields } from '@unitcell/material';

/** Energies of the scale that is asked for; they come from `material_energy`. */
export const SCALE_FIELDS = ['energy_per_atom', 'formation_energy_per_atom', 'energy_above_hull'] as const;
export const isScaleField = (name: string): boolean => SCALE_FIELDS.some((field) => field === name);

/** A number of the electrochemical window on the scale that is asked for, against one working ion; V. */
interface WindowField {
  readonly ion: string;
  /** Of a row of `electrochemical_window`. */
  readonly sql: string;
}

const WINDOW_NUMBERS = {
  reduction_onset: 'reduction_onset',
  oxidation_onset: 'oxidation_onset',
  window_width: 'round((oxidation_onset - reduction_onset)::numeric, 8)::float8',
} as const;

/** `reduction_onset_li` and so on. An oxidation onset, and with it a width, is unknown where there is no upper bound. */
export const WINDOW_FIELDS: ReadonlyMap<string, WindowField> = new Map(
  WORKING_IONS.flatMap((ion) =>
    Object.entries(WINDOW_NUMBERS).map(([name, sql]): [string, WindowField] => [
      `${name}_${ion.toLowerCase()}`,
      { ion, sql },
    ]),
  ),
);

interface DerivedField {
  readonly type: 'text' | 'flag';
  readonly sql: string;
}

/** What no column of the table `material` holds, as SQL. */
export const DERIVED_FIELDS: Readonly<Record<string, DerivedField>> = {
  has_dos: {
    type: 'flag',
    sql: 'EXISTS (SELECT FROM density_of_states d WHERE d.struct_id = material.struct_id)',
  },
  topology_class: {
    type: 'text',
    sql: `(SELECT t.rows -> 0 ->> 'Class' FROM topology t WHERE t.struct_id = material.struct_id)`,
  },
  /** Space group and occupied Wyckoff positions, whatever the elements: `225:a4 b4`. */
  prototype: {
    type: 'text',
    sql: '(SELECT a.prototype FROM structure_arrangement a WHERE a.struct_id = material.struct_id)',
  },
  has_predicted: {
    type: 'flag',
    sql: 'EXISTS (SELECT FROM material_prediction p WHERE p.struct_id = material.struct_id AND p."values" IS NOT NULL)',
  },
  /** Its order is that of time: `added > "2026-11-22"`. */
  added: {
    type: 'text',
    sql: `to_char(material.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  },
};

/** The energy of the cell is left out: it is known on the material's own scale only. */
export const SCREEN_FIELDS: FilterFields = new Map<string, FilterField>([
  ...[...materialFilterFields()].filter(([name]) => name !== 'energy'),
  ...Object.entries(DERIVED_FIELDS).map(([name, { type }]): [string, FilterField] => [name, { type }]),
  ...predictedFields.map(({ name, unit }): [string, FilterField] => [name, { type: 'number', unit }]),
  ...[...WINDOW_FIELDS.keys()].map((name): [string, FilterField] => [name, { type: 'number', unit: 'V' }]),
]);

/** A field as SQL; energies of the scale are those of the joined table `energies`. @param scale SQL of its name */
export function sqlOf(name: string, scale: string): string {
  const window = WINDOW_FIELDS.get(name);
  if (window)
    return `(SELECT ${window.sql} FROM electrochemical_window w WHERE w.struct_id = material.struct_id
      AND w.working_ion = '${window.ion}' AND w.functional = ${scale})`;
  const predicted = predictedFieldOf(name);
  if (predicted)
    return `(SELECT p.${predicted.column} FROM material_prediction p WHERE p.struct_id = material.struct_id)`;
  return DERIVED_FIELDS[name]?.sql ?? `${isScaleField(name) ? 'energies' : 'material'}.${name}`;
}

/** A list for SELECT. */
export const selectOf = (names: readonly string[], scale: string): string =>
  names.map((name) => sqlOf(name, scale)).join(', ');
