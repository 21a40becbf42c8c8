/** What materials can be screened by: the fields of a material, and which larger results they have beside those. */
import { type FilterField, type FilterFields, materialFilterFields } from '@unitcell/filter';

/** Energies of the scale that is asked for; they come from `material_energy`. */
export const SCALE_FIELDS = ['energy_per_atom', 'formation_energy_per_atom', 'energy_above_hull'] as const;
export type ScaleField = (typeof SCALE_FIELDS)[number];
export const isScaleField = (name: string): name is ScaleField =>
  SCALE_FIELDS.some((field) => field === name);

/** Flags that no column of the table `material` holds, as SQL. */
export const DERIVED_FLAGS: Readonly<Record<string, string>> = {
  has_dos: 'EXISTS (SELECT FROM density_of_states d WHERE d.struct_id = material.struct_id)',
};

/** The energy of the cell is left out: it is known on the material's own scale only. */
export const SCREEN_FIELDS: FilterFields = new Map<string, FilterField>([
  ...[...materialFilterFields()].filter(([name]) => name !== 'energy'),
  ...Object.keys(DERIVED_FLAGS).map((name): [string, FilterField] => [name, { type: 'flag' }]),
]);

/** A list for SELECT; energies of the scale are those of the joined table `energies`. */
export const selectOf = (names: readonly string[]): string =>
  names
    .map((name) => DERIVED_FLAGS[name] ?? `${isScaleField(name) ? 'energies' : 'material'}.${name}`)
    .join(', ');
