import type { WorkingIon } from '../ecwindow/rules.ts';

/** Limit of electrodes compared in one answer. */
export const MAX_COMPARED_ELECTRODES = 5;

/** Electrodes of one page of a search. */
export const ELECTRODE_PAGE = { standard: 50, largest: 500 } as const;

/** eV/atom. Materials further above the hull are not used as states of an electrode. */
export const STATE_LIMIT = 0.2;

/** Fields by which search results can be sorted. */
export const ELECTRODE_SORTS = [
  'specific_energy',
  'energy_density',
  'average_voltage',
  'capacity',
  'volume_capacity',
  'volume_change',
  'above_hull',
  'framework',
  'formula',
  'charged_formula',
  'plateaus',
  'min_voltage',
  'max_voltage',
  'charged_capacity',
] as const;

export type ElectrodeSort = (typeof ELECTRODE_SORTS)[number];

/**
 * Quantities for screening. They belong to the electrode of which a material is the discharged end, on one
 * energy scale and for one working ion. A material is the discharged end of at most one electrode per ion.
 * Column names end in the ion: `electrode_voltage_li`.
 */
export interface ElectrodeField {
  readonly type: 'number' | 'text';
  /** Column of the table `electrode`. */
  readonly column:
    | 'average_voltage'
    | 'capacity'
    | 'volume_capacity'
    | 'specific_energy'
    | 'volume_change'
    | 'above_hull'
    | 'framework';
  readonly unit: string;
  /** Digits after the decimal point in tables. */
  readonly decimals: number;
  readonly label: Readonly<Record<'en' | 'zh', string>>;
}

export const ELECTRODE_FIELDS = {
  electrode_voltage: {
    type: 'number',
    column: 'average_voltage',
    unit: 'V',
    decimals: 2,
    label: { en: 'Electrode voltage', zh: '电极电压' },
  },
  electrode_capacity: {
    type: 'number',
    column: 'capacity',
    unit: 'mAh/g',
    decimals: 0,
    label: { en: 'Electrode capacity', zh: '电极比容量' },
  },
  electrode_volume_capacity: {
    type: 'number',
    column: 'volume_capacity',
    unit: 'mAh/cm³',
    decimals: 0,
    label: { en: 'Volumetric capacity', zh: '体积容量' },
  },
  electrode_specific_energy: {
    type: 'number',
    column: 'specific_energy',
    unit: 'Wh/kg',
    decimals: 0,
    label: { en: 'Specific energy', zh: '比能量' },
  },
  electrode_volume_change: {
    type: 'number',
    column: 'volume_change',
    unit: '%',
    decimals: 1,
    label: { en: 'Volume change on charging', zh: '充电体积变化' },
  },
  electrode_above_hull: {
    type: 'number',
    column: 'above_hull',
    unit: 'eV/atom',
    decimals: 3,
    label: { en: 'Highest energy above hull on charging', zh: '充电过程中最高的凸包以上能量' },
  },
  electrode_framework: {
    type: 'text',
    column: 'framework',
    unit: '',
    decimals: 0,
    label: { en: 'Framework', zh: '骨架' },
  },
} as const satisfies Readonly<Record<string, ElectrodeField>>;

export type ElectrodeFieldName = keyof typeof ELECTRODE_FIELDS;

/** A field for one working ion. */
export interface IonField extends ElectrodeField {
  readonly ion: WorkingIon;
}

/** The fields for the given ions, by their full names: `electrode_voltage_li`. */
export const ionElectrodeFields = (ions: readonly WorkingIon[]): ReadonlyMap<string, IonField> =>
  new Map(
    ions.flatMap((ion) =>
      Object.entries(ELECTRODE_FIELDS).map(([name, field]): [string, IonField] => [
        `${name}_${ion.toLowerCase()}`,
        { ...field, ion },
      ]),
    ),
  );
