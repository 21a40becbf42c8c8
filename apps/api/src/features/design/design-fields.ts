/** What a candidate may be asked for in the filter language, and what it answers. */
import type { DesignCandidate } from '@unitcell/contract/design';
import { WORKING_IONS } from '@unitcell/contract/ecwindow';
import {
  evaluateFilter,
  type Filter,
  type FilterField,
  type FilterFields,
  materialFilterFields,
  type PropertyValue,
} from '@unitcell/filter';
import { predictedFields } from '@unitcell/material';

/** Fields of a material that a candidate has. */
const MATERIAL_FIELDS = [
  'elements',
  'nelements',
  'nsites',
  'formula_reduced',
  'formula_anonymous',
  'chemical_system',
  'density',
] as const;

const number = (unit: string): FilterField => ({ type: 'number', unit });

export const DESIGN_FIELDS: FilterFields = new Map<string, FilterField>([
  ...[...materialFilterFields()].filter(([name]) => MATERIAL_FIELDS.some((field) => field === name)),
  ...predictedFields.map(({ name, unit }): [string, FilterField] => [name, number(unit)]),
  ['energy_above_hull', number('eV/atom')],
  ['insulator_probability', number('')],
  ['probability_within_25_mev', number('')],
  ['probability_within_50_mev', number('')],
  ...WORKING_IONS.flatMap((ion) =>
    ['reduction_onset', 'oxidation_onset', 'window_width'].map((name): [string, FilterField] => [
      `${name}_${ion.toLowerCase()}`,
      number('V'),
    ]),
  ),
]);

/** The working ions a filter asks for. */
export const ionsOfFilter = (text: string): string[] =>
  WORKING_IONS.filter((ion) =>
    new RegExp(`(?:reduction_onset|oxidation_onset|window_width)_${ion.toLowerCase()}\\b`).test(text),
  );

/** Of a candidate before it is predicted. */
export interface Composed {
  readonly elements: readonly string[];
  readonly nsites: number;
  readonly formulaReduced: string;
  readonly formulaAnonymous: string;
  readonly density: number;
}

/** What a filter is asked: unknown as long as nothing is predicted. */
export function propertyOf(
  composed: Composed,
  found: Pick<
    DesignCandidate,
    'predicted' | 'energy_above_hull' | 'probability_within_25_mev' | 'probability_within_50_mev' | 'windows'
  > | null,
): (name: string) => PropertyValue {
  const known: Readonly<Record<string, PropertyValue>> = {
    elements: composed.elements,
    nelements: composed.elements.length,
    nsites: composed.nsites,
    formula_reduced: composed.formulaReduced,
    formula_anonymous: composed.formulaAnonymous,
    chemical_system: composed.elements.join('-'),
    density: composed.density,
    ...(found && {
      predicted_formation_energy: found.predicted.formation_energy_per_atom.value,
      predicted_band_gap: found.predicted.band_gap.value,
      predicted_bulk_modulus: found.predicted.bulk_modulus.value,
      predicted_shear_modulus: found.predicted.shear_modulus.value,
      insulator_probability: found.predicted.insulator_probability,
      energy_above_hull: found.energy_above_hull,
      probability_within_25_mev: found.probability_within_25_mev,
      probability_within_50_mev: found.probability_within_50_mev,
      ...Object.fromEntries(
        found.windows.flatMap(({ ion, reduction_onset, oxidation_onset }) => {
          const name = ion.toLowerCase();
          return [
            [`reduction_onset_${name}`, reduction_onset],
            [`oxidation_onset_${name}`, oxidation_onset],
            [`window_width_${name}`, oxidation_onset === null ? null : oxidation_onset - reduction_onset],
          ];
        }),
      ),
    }),
  };
  return (name) => known[name] ?? null;
}

/** Whether a filter has decided against it, whatever is still unknown. */
export const isRuledOut = (filter: Filter | null, property: (name: string) => PropertyValue): boolean =>
  filter !== null && evaluateFilter(filter, property) === false;
/** Whether it passes; what stays unknown does not. */
export const passes = (filter: Filter | null, property: (name: string) => PropertyValue): boolean =>
  filter === null || evaluateFilter(filter, property) === true;
