/**
 * Stability of a material under conditions, on each energy scale: against oxygen and in water. Derived with the
 * electrochemical windows, for materials up to 0.1 eV/atom above the hull. Not part of the table of fields, because a
 * material has one value per scale.
 */
import type { Bilingual } from './field.ts';

/** eV/atom. Materials further above the hull have no values. */
export const CONDITIONS_ABOVE_HULL = 0.1;

export interface ConditionField {
  /** Name used in filters and addresses; also the column of `material_energy`. */
  readonly name: string;
  /** Method that gives the value: an entry of the methods page. */
  readonly method: 'oxygen' | 'water';
  readonly unit: string;
  /** Digits after the decimal point in tables. */
  readonly decimals: number;
  readonly label: Bilingual;
  /** One sentence that explains the value. */
  readonly meaning: Bilingual;
}

export const conditionFields = [
  {
    name: 'oxygen_potential_min',
    method: 'oxygen',
    unit: 'eV',
    decimals: 3,
    label: { en: 'Lowest oxygen potential', zh: '氧的化学势下限' },
    meaning: {
      en: 'Chemical potential of O, against half an O2 of the scale, below which the material gives off oxygen; empty when it contains none.',
      zh: '氧的化学势（以该能量基准的 1/2 O2 为零点），低于此值时材料释放氧；不含氧时为空。',
    },
  },
  {
    name: 'oxygen_potential_max',
    method: 'oxygen',
    unit: 'eV',
    decimals: 3,
    label: { en: 'Highest oxygen potential', zh: '氧的化学势上限' },
    meaning: {
      en: 'Chemical potential of O, against half an O2 of the scale, above which the material takes up oxygen; at most 0. Empty when the database has no oxide of one of its elements.',
      zh: '氧的化学势（以该能量基准的 1/2 O2 为零点），高于此值时材料吸收氧；至多为 0。数据库缺少其中某元素的氧化物时为空。',
    },
  },
  {
    name: 'decomposition_energy_in_water',
    method: 'water',
    unit: 'eV/atom',
    decimals: 3,
    label: { en: 'Decomposition energy in water', zh: '水中分解能' },
    meaning: {
      en: 'Energy above the stable solids and ions in water at pH 7 and 0 V against SHE (25 °C, 1e-6 mol/l); 0 is stable.',
      zh: '在 pH 7、0 V（相对 SHE）的水中（25 °C，1e-6 mol/l）相对于稳定固体与离子的能量；0 表示稳定。',
    },
  },
] as const satisfies readonly ConditionField[];

/** The condition field with this name; undefined for other names. */
export const conditionFieldOf = (name: string): ConditionField | undefined =>
  conditionFields.find((field) => field.name === name);
