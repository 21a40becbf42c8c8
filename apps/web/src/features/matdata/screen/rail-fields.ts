/** What the rail offers, in the order of the page. Names are those of the filter language. */
import { WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import {
  fields,
  type FieldName,
  FIELD_NAMES,
  fieldOf,
  predictedFieldOf,
  predictedFields,
} from '@unitcell/material';
import type { MethodId } from '../../../components/provenance/methods.ts';
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
  { property: 'bulk_modulus', presets: [], isOpen: false },
  { property: 'shear_modulus', presets: [], isOpen: false },
  { property: 'dielectric_total', presets: [], isOpen: false },
  { property: 'dielectric_electronic', presets: [], isOpen: false },
];

/** What the network says, where nothing was calculated too. */
export const PREDICTED_RANGES: readonly RangeField[] = predictedFields.map(({ name }) => ({
  property: name,
  presets: [],
  isOpen: false,
}));

/** Numbers of the electrochemical window, one set a working ion. */
const WINDOW_NAMES = {
  reduction_onset: { en: 'Reduction onset', zh: '还原起始电位' },
  oxidation_onset: { en: 'Oxidation onset', zh: '氧化起始电位' },
  window_width: { en: 'Window width', zh: '窗口宽度' },
} as const;

/** What withstands an anode, what a cathode, and what both. */
const WINDOW_PRESETS: Readonly<Record<string, readonly Preset[]>> = {
  reduction_onset: [preset('≤ 0', null, 0), preset('≤ 1', null, 1)],
  oxidation_onset: [preset('≥ 3', 3, null), preset('≥ 4', 4, null)],
  window_width: [preset('≥ 2', 2, null), preset('≥ 4', 4, null)],
};

const windowProperty = (name: string, ion: string): string => `${name}_${ion.toLowerCase()}`;

export const windowFields = (ion: string): readonly RangeField[] =>
  Object.keys(WINDOW_NAMES).map((name) => ({
    property: windowProperty(name, ion),
    presets: WINDOW_PRESETS[name] ?? [],
    isOpen: false,
  }));

const WINDOWS = new Map(
  WORKING_IONS.flatMap((ion) =>
    Object.entries(WINDOW_NAMES).map(([name, label]) => [windowProperty(name, ion), { ion, label }] as const),
  ),
);

/** The working ion of a property of the window; undefined for other properties. */
export const ionOf = (property: string): string | undefined => WINDOWS.get(property)?.ion;

const METHODS: Readonly<Record<string, MethodId>> = {
  band_gap: 'gap',
  energy_above_hull: 'hull',
  formation_energy_per_atom: 'formation',
  density: 'density',
  total_magnetization: 'moment',
  bulk_modulus: 'elastic',
  shear_modulus: 'elastic',
  dielectric_total: 'dielectric',
  dielectric_electronic: 'dielectric',
};

/** How a number comes about; counts need no telling. */
export const methodOfProperty = (property: string): MethodId | undefined =>
  WINDOWS.has(property) ? 'window' : predictedFieldOf(property) ? 'prediction' : METHODS[property];

/** Every number that can be plotted, sorted by and shown as a column. */
export const NUMBER_PROPERTIES: readonly string[] = [
  ...[...RANGE_FIELDS, ...PREDICTED_RANGES].map(({ property }) => property),
  ...WINDOWS.keys(),
];

export const CHOICE_FIELDS = [
  'crystal_system',
  'band_gap_type',
  'observed',
  'topology_class',
  'space_group',
  'formula_anonymous',
  'prototype',
  'source_name',
] as const;
export type ChoiceField = (typeof CHOICE_FIELDS)[number];

export const FLAG_FIELDS = [
  'has_band',
  'has_dos',
  'has_hse',
  'has_elastic',
  'has_epsilon',
  'has_piezo',
  'has_topology',
  'is_hubbard',
  'has_predicted',
] as const;

const nameOf = (property: string): FieldName | undefined =>
  FIELD_NAMES.find((name) => fieldOf(name).column === property);

/** The field's own name, as tables of facts call it; the name itself for what no field is. */
export function fieldLabel(property: string, language: Language): string {
  const name = nameOf(property);
  if (name) return fields[name].label[language];
  const window = WINDOWS.get(property);
  if (window) return `${window.label[language]} (${window.ion})`;
  return (predictedFieldOf(property)?.label ?? OTHER_LABELS[property])?.[language] ?? property;
}

const OTHER_LABELS: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  prototype: { en: 'Prototype', zh: '结构原型' },
  topology_class: { en: 'Topological class', zh: '拓扑分类' },
  added: { en: 'Added', zh: '入库时间' },
};

export function fieldUnit(property: string): string {
  if (WINDOWS.has(property)) return 'V';
  const name = nameOf(property);
  const field = name && fieldOf(name);
  return field?.kind === 'number' ? field.unit : (predictedFieldOf(property)?.unit ?? '');
}

export function optionLabel(property: string, value: string, language: Language): string {
  const name = nameOf(property);
  const field = name && fieldOf(name);
  return (field?.kind === 'choice' && field.options[value]?.[language]) || value;
}

/** Every value a choice can have, in the order of its table; none for a text that can be anything. */
export function optionNames(property: ChoiceField): readonly string[] {
  const name = nameOf(property);
  const field = name && fieldOf(name);
  return field?.kind === 'choice' ? Object.keys(field.options) : [];
}
