/** What the filter sidebar offers, in the order of the page. Names are those of the filter language. */
import { WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import {
  type FieldName,
  fieldOf,
  fieldOfColumn,
  fields,
  methodOfField,
  predictedFieldOf,
  predictedFields,
  sidebarFields,
} from '@unitcell/material';
import { isExpression } from '@unitcell/filter';
import type { MethodId } from '../provenance/methods.ts';
import type { Language } from '../../i18n/i18n.ts';

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

const presetOf = ([from, to]: readonly [number | null, number | null]): Preset => {
  const name =
    from === to ? `${to}` : from === null ? `≤ ${to}` : to === null ? `≥ ${from}` : `${from}–${to}`;
  return { name, from, to };
};

/** What people filter by most; the other numbers follow in the order of the table. */
const FIRST: readonly FieldName[] = ['bandGap', 'energyAboveHull', 'formationEnergyPerAtom'];

export const RANGE_FIELDS: readonly RangeField[] = [
  ...new Set([...FIRST, ...sidebarFields('number', 'count')]),
].map((name) => {
  const field = fieldOf(name);
  const control = 'filterControl' in field && field.filterControl !== 'none' ? field.filterControl : {};
  return {
    property: field.column,
    presets: control?.presets?.map(presetOf) ?? [],
    isOpen: control?.isOpen ?? false,
  };
});

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
  reduction_onset: [presetOf([null, 0]), presetOf([null, 1])],
  oxidation_onset: [presetOf([3, null]), presetOf([4, null])],
  window_width: [presetOf([2, null]), presetOf([4, null])],
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

/** How a number comes about. */
export function methodOfProperty(property: string): MethodId | undefined {
  if (WINDOWS.has(property)) return 'window';
  if (predictedFieldOf(property)) return 'prediction';
  const name = fieldOfColumn(property);
  return name && methodOfField(name);
}

/** Every number that can be plotted, sorted by and shown as a column. */
export const NUMBER_PROPERTIES: readonly string[] = [
  ...[...RANGE_FIELDS, ...PREDICTED_RANGES].map(({ property }) => property),
  ...WINDOWS.keys(),
];

const columnsOf = (names: readonly FieldName[]): string[] => names.map((name) => fieldOf(name).column);

/** Choices of the table, and texts of which there are few enough to choose from. */
export const CHOICE_FIELDS: readonly string[] = [
  ...columnsOf(sidebarFields('choice')),
  'topology_class',
  'space_group',
  'formula_anonymous',
  'prototype',
  'source_name',
];

/** Data a material may have, in the order of its page, with texts of their own. */
const NAMED_FLAGS = [
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
type NamedFlag = (typeof NAMED_FLAGS)[number];

/** What a calculated column is calculated from, in any order; the column itself for a stored one. */
export const namesIn = (property: string): readonly string[] =>
  isExpression(property) ? (property.match(/[a-z_]\w*/g) ?? []) : [property];

/** The other flags of the table follow, under their own names. */
export const FLAG_FIELDS: readonly string[] = [
  ...new Set([...NAMED_FLAGS, ...columnsOf(sidebarFields('flag'))]),
];

export function flagLabel(property: string, language: Language, t: (flag: NamedFlag) => string): string {
  const named = NAMED_FLAGS.find((flag) => flag === property);
  return named ? t(named) : fieldLabel(property, language);
}

/** The field's own name, as tables of facts call it; the name itself for what no field is. */
export function fieldLabel(property: string, language: Language): string {
  if (isExpression(property)) return property.slice(1, -1);
  const name = fieldOfColumn(property);
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
  const name = fieldOfColumn(property);
  const field = name && fieldOf(name);
  return field?.kind === 'number' ? field.unit : (predictedFieldOf(property)?.unit ?? '');
}

export function optionLabel(property: string, value: string, language: Language): string {
  const name = fieldOfColumn(property);
  const field = name && fieldOf(name);
  return (field?.kind === 'choice' && field.options[value]?.[language]) || value;
}

/** Every value a choice can have, in the order of its table; none for a text that can be anything. */
export function optionNames(property: string): readonly string[] {
  const name = fieldOfColumn(property);
  const field = name && fieldOf(name);
  return field?.kind === 'choice' ? Object.keys(field.options) : [];
}
