/**
 * The fields of the filter in display order, and the shown names, units and conditions. Names of fields are those of the
 * filter language.
 */
import { WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import { ionElectrodeFields } from '@unitcell/contract/electrodes/rules';
import {
  conditionFieldOf,
  conditionFields,
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
import { createContext, useCallback, useContext } from 'react';
import type { Language } from '../../i18n/i18n.ts';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { formulaText } from '../formula.tsx';
import type { MethodId } from '../provenance/methods.ts';
import type { Chip } from './conditions.ts';

interface Preset {
  readonly name: string;
  readonly from: number | null;
  readonly to: number | null;
}

export interface RangeField {
  readonly property: string;
  /** Common ranges, one click each. */
  readonly presets: readonly Preset[];
  readonly isOpen: boolean;
}

const presetOf = ([from, to]: readonly [number | null, number | null]): Preset => {
  const name =
    from === to ? `${to}` : from === null ? `≤ ${to}` : to === null ? `≥ ${from}` : `${from}–${to}`;
  return { name, from, to };
};

/** The most used filters come first; other numbers follow in the order of the field table. */
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

/** Predicted values, which also exist for materials without calculated values. */
export const PREDICTED_RANGES: readonly RangeField[] = predictedFields.map(({ name }) => ({
  property: name,
  presets: [],
  isOpen: false,
}));

/** Stability against oxygen and in water. */
export const CONDITION_RANGES: readonly RangeField[] = conditionFields.map(({ name }) => ({
  property: name,
  presets: name === 'decomposition_energy_in_water' ? [presetOf([null, 0]), presetOf([null, 0.05])] : [],
  isOpen: false,
}));

/** Numeric fields of the electrochemical window, one set for each working ion. */
const WINDOW_NAMES = {
  reduction_onset: {
    en: 'Reduction onset',
    zh: '还原起始电位',
    meaning: {
      en: 'Voltage against the metal of the working ion below which the material takes up the ion.',
      zh: '相对于工作离子金属的电压，低于此值时材料嵌入该离子。',
    },
  },
  oxidation_onset: {
    en: 'Oxidation onset',
    zh: '氧化起始电位',
    meaning: {
      en: 'Voltage against the metal of the working ion above which the material releases the ion.',
      zh: '相对于工作离子金属的电压，高于此值时材料脱出该离子。',
    },
  },
  window_width: {
    en: 'Window width',
    zh: '窗口宽度',
    meaning: {
      en: 'Oxidation onset minus reduction onset: the voltages at which the material is stable.',
      zh: '氧化起始电位减去还原起始电位，即材料保持稳定的电压范围。',
    },
  },
} as const;

/** Presets for stability against an anode, a cathode, and both. */
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

const ION_ELECTRODE_FIELDS = ionElectrodeFields(WORKING_IONS);

/** Common ranges of electrodes by column: voltages of cathodes, and capacities and stabilities worth a trial. */
const ELECTRODE_PRESETS: Readonly<Record<string, readonly Preset[]>> = {
  average_voltage: [presetOf([3, 4]), presetOf([4, null])],
  capacity: [presetOf([120, null]), presetOf([200, null])],
  volume_change: [presetOf([-5, 5])],
  above_hull: [presetOf([null, 0.05]), presetOf([null, 0.1])],
};

/** Fields of the electrode that has the material as its discharged state. */
export const electrodeFields = (ion: string): readonly RangeField[] =>
  [...ION_ELECTRODE_FIELDS].flatMap(([property, field]) =>
    field.ion === ion && field.type === 'number'
      ? [{ property, presets: ELECTRODE_PRESETS[field.column] ?? [], isOpen: false }]
      : [],
  );

/** Name of the field for the electrode framework without the ion. */
export const frameworkField = (ion: string): string => `electrode_framework_${ion.toLowerCase()}`;

export const isOfElectrode = (property: string): boolean => ION_ELECTRODE_FIELDS.has(property);

/** The working ion of a property of windows or electrodes; undefined for other properties. */
export const ionOf = (property: string): string | undefined =>
  (WINDOWS.get(property) ?? ION_ELECTRODE_FIELDS.get(property))?.ion;

/** A numeric field that is not in the table of fields. */
const outsideTableOf = (property: string) =>
  predictedFieldOf(property) ?? conditionFieldOf(property) ?? ION_ELECTRODE_FIELDS.get(property);

export function methodOfProperty(property: string): MethodId | undefined {
  if (WINDOWS.has(property)) return 'window';
  if (isOfElectrode(property)) return 'electrode';
  const outsideTable = predictedFieldOf(property) ?? conditionFieldOf(property);
  if (outsideTable) return outsideTable.method;
  const name = fieldOfColumn(property);
  return name && methodOfField(name);
}

/** All numbers that can be plotted, sorted by and shown as a column. */
export const NUMBER_PROPERTIES: readonly string[] = [
  ...[...RANGE_FIELDS, ...CONDITION_RANGES, ...PREDICTED_RANGES].map(({ property }) => property),
  ...WINDOWS.keys(),
  ...WORKING_IONS.flatMap((ion) => electrodeFields(ion).map(({ property }) => property)),
];

const columnsOf = (names: readonly FieldName[]): string[] => names.map((name) => fieldOf(name).column);

/** Choice fields, and text fields with few enough values to list. */
export const CHOICE_FIELDS: readonly string[] = [
  ...columnsOf(sidebarFields('choice')),
  'topology_class',
  'space_group',
  'formula_anonymous',
  'prototype',
  'source_name',
];

/** Flags for available data, in page order, with their own labels. */
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

/** The stored columns that a calculated column uses, in any order; for a stored column, only its name. */
export const namesIn = (property: string): readonly string[] =>
  isExpression(property) ? (property.match(/[a-z_]\w*/g) ?? []) : [property];

/** All flags: first the flags with special labels, then the other flags of the field table. */
export const FLAG_FIELDS: readonly string[] = [
  ...new Set([...NAMED_FLAGS, ...columnsOf(sidebarFields('flag'))]),
];

export function flagLabel(property: string, language: Language, t: (flag: NamedFlag) => string): string {
  const named = NAMED_FLAGS.find((flag) => flag === property);
  return named ? t(named) : fieldLabel(property, language);
}

/** The display name of a field, as in fact tables; an unknown name is returned unchanged. */
export function fieldLabel(property: string, language: Language): string {
  if (isExpression(property)) return property.slice(1, -1);
  const name = fieldOfColumn(property);
  if (name) return fields[name].label[language];
  const ofIon = WINDOWS.get(property) ?? ION_ELECTRODE_FIELDS.get(property);
  if (ofIon) return `${ofIon.label[language]} (${ofIon.ion})`;
  return (outsideTableOf(property)?.label ?? OTHER_LABELS[property])?.[language] ?? property;
}

/** What a field means, in one sentence; undefined where its name says everything. */
export function fieldMeaning(property: string, language: Language): string | undefined {
  const name = fieldOfColumn(property);
  const described = name ? fields[name] : (WINDOWS.get(property)?.label ?? outsideTableOf(property));
  return described && 'meaning' in described ? described.meaning[language] : undefined;
}

const OTHER_LABELS: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  prototype: { en: 'Prototype', zh: '结构原型' },
  topology_class: { en: 'Topological class', zh: '拓扑分类' },
  added: { en: 'Added', zh: '入库时间' },
};

function fieldUnit(property: string): string {
  if (WINDOWS.has(property)) return 'V';
  const name = fieldOfColumn(property);
  const field = name && fieldOf(name);
  return field?.kind === 'number' ? field.unit : (outsideTableOf(property)?.unit ?? '');
}

/** Digits after the decimal point of a number in tables. */
export function fieldDecimals(property: string): number | undefined {
  const name = fieldOfColumn(property);
  const field = name && fieldOf(name);
  if (field?.kind === 'count') return 0;
  return field?.kind === 'number' ? field.decimals : outsideTableOf(property)?.decimals;
}

/** Whether the values of a text property are chemical formulas. */
export const isFormula = (property: string): boolean =>
  property === 'formula_anonymous' || property.startsWith('electrode_framework_');

export function optionLabel(property: string, value: string, language: Language): string {
  if (isFormula(property)) return formulaText(value);
  const name = fieldOfColumn(property);
  const field = name && fieldOf(name);
  return (field?.kind === 'choice' && field.options[value]?.[language]) || value;
}

/** All possible values of a choice field, in table order; empty for free text. */
export function optionNames(property: string): readonly string[] {
  const name = fieldOfColumn(property);
  const field = name && fieldOf(name);
  return field?.kind === 'choice' ? Object.keys(field.options) : [];
}

export const filterTexts = defineTexts('filter', {
  with: ['with', '含'],
  without: ['without', '不含'],
  only: ['only these', '仅含'],
  isKnown: ['{{name}} known', '{{name}}：有数值'],
  isUnknown: ['{{name}} unknown', '{{name}}：无数值'],
  stableInOxygen: ['stable at μ(O) = {{potential}} eV', '在 μ(O) = {{potential}} eV 下稳定'],
  has_band: ['Band structure', '能带结构'],
  has_dos: ['Density of states', '态密度'],
  has_hse: ['HSE bands', 'HSE 能带'],
  has_elastic: ['Elastic tensor', '弹性张量'],
  has_epsilon: ['Dielectric tensor', '介电张量'],
  has_piezo: ['Piezoelectric tensor', '压电张量'],
  has_topology: ['Topology', '拓扑'],
  is_hubbard: ['Hubbard U used', '使用了 Hubbard U'],
  has_predicted: ['Predicted values', '预测值'],
});

interface Calculated {
  /** Expressions in square brackets. */
  readonly names: readonly string[];
  /** Units of columns, from the answers received so far. */
  readonly units: Readonly<Record<string, string>>;
}

/** The calculated columns of the page. */
export const CalculatedContext = createContext<Calculated>({ names: [], units: {} });

/** All numbers that can be plotted, calculated ones included. */
export const useNumberNames = (): readonly string[] => [
  ...useContext(CalculatedContext).names,
  ...NUMBER_PROPERTIES,
];

/** The unit of a column, or an empty string. */
export function useFieldUnit(): (name: string) => string {
  const { units } = useContext(CalculatedContext);
  return useCallback((name) => units[name] ?? fieldUnit(name), [units]);
}

/** `Band gap (eV)` */
export function useFieldTitle(): (name: string) => string {
  const { language } = useTexts(filterTexts);
  const unitOf = useFieldUnit();
  return useCallback(
    (name) => {
      const unit = unitOf(name);
      return `${fieldLabel(name, language)}${unit === '' ? '' : ` (${unit})`}`;
    },
    [language, unitOf],
  );
}

/** Formats with a true minus sign. */
const shown = (value: number | null): string => String(value).replace('-', '\u2212');

export function useChipText(): (chip: Chip) => string {
  const { t, language } = useTexts(filterTexts);
  const unitOf = useFieldUnit();
  return (chip) => {
    switch (chip.kind) {
      case 'element':
        return `${t(chip.mode)} ${chip.symbol}`;
      case 'range': {
        const { from, to } = chip.range;
        const name = fieldLabel(chip.property, language);
        const unit = unitOf(chip.property);
        const ends =
          from === to
            ? `= ${shown(from)}`
            : from === null
              ? `≤ ${shown(to)}`
              : to === null
                ? `≥ ${shown(from)}`
                : `${shown(from)}–${shown(to)}`;
        return `${name} ${ends} ${unit}`.trimEnd();
      }
      case 'choice':
        return optionLabel(chip.property, chip.value, language);
      case 'flag':
        return flagLabel(chip.property, language, t);
      case 'known':
        return t(chip.isKnown ? 'isKnown' : 'isUnknown', { name: fieldLabel(chip.property, language) });
      case 'oxygen':
        return t('stableInOxygen', { potential: shown(chip.potential) });
      default:
        return chip.text;
    }
  };
}
