/** What the rail offers, in the order of the page. Names are those of the filter language. */
import { fields, type FieldName, FIELD_NAMES, fieldOf } from '@unitcell/material';
import type { Language } from '../../../i18n/i18n.ts';

interface Preset {
  readonly name: string;
  readonly from: number | null;
  readonly to: number | null;
}

export interface RangeField {
  readonly property: string;
  /** Ranges people mean, one click each. */
  readonly presets: readonly Preset[];
  readonly isOpen: boolean;
}

const preset = (name: string, from: number | null, to: number | null): Preset => ({ name, from, to });

export const RANGE_FIELDS: readonly RangeField[] = [
  {
    property: 'band_gap',
    presets: [preset('0', 0, 0), preset('0–2', 0, 2), preset('2–4', 2, 4), preset('≥ 4', 4, null)],
    isOpen: true,
  },
  {
    property: 'energy_above_hull',
    presets: [
      preset('0', 0, 0),
      preset('≤ 0.025', null, 0.025),
      preset('≤ 0.05', null, 0.05),
      preset('≤ 0.1', null, 0.1),
    ],
    isOpen: true,
  },
  { property: 'formation_energy_per_atom', presets: [], isOpen: false },
  { property: 'nelements', presets: [], isOpen: false },
  { property: 'nsites', presets: [], isOpen: false },
  { property: 'density', presets: [], isOpen: false },
  { property: 'total_magnetization', presets: [], isOpen: false },
];

export const CHOICE_FIELDS = ['crystal_system', 'space_group', 'formula_anonymous', 'source_name'] as const;
export type ChoiceField = (typeof CHOICE_FIELDS)[number];

export const FLAG_FIELDS = [
  'has_band',
  'has_dos',
  'has_hse',
  'has_elastic',
  'has_epsilon',
  'has_piezo',
  'has_topology',
] as const;

const nameOf = (property: string): FieldName | undefined =>
  FIELD_NAMES.find((name) => fieldOf(name).column === property);

/** The field's own name, as tables of facts call it; the name itself for what no field is. */
export function fieldLabel(property: string, language: Language): string {
  const name = nameOf(property);
  return name ? fields[name].label[language] : property;
}

export function fieldUnit(property: string): string {
  const name = nameOf(property);
  const field = name && fieldOf(name);
  return field?.kind === 'number' ? field.unit : '';
}

export function optionLabel(property: string, value: string, language: Language): string {
  const name = nameOf(property);
  const field = name && fieldOf(name);
  return (field?.kind === 'choice' && field.options[value]?.[language]) || value;
}
