/** The comparison of the sources of a material, ready to be shown. */
import type { ComparedProperty, MaterialRecord, RecordComparison } from '@unitcell/contract';
import { formatNumber } from '../../../lib/format.ts';

const DIGITS: Readonly<Record<ComparedProperty, number>> = {
  volume_per_atom: 2,
  formation_energy: 3,
  energy: 3,
  band_gap: 2,
  magnetization_per_atom: 2,
  k_vrh: 0,
  g_vrh: 0,
  epsilon_electronic: 2,
  epsilon_total: 1,
};

export const valueText = ({ property }: RecordComparison, value: number | null): string =>
  value === null ? '' : formatNumber(value, { decimals: DIGITS[property] });

const percent = (share: number): string => `${Number((100 * share).toFixed(0))} %`;

/** A spread or a bound as it is read: `6 %`, `0.3 eV`. */
export const amountText = ({ is_relative, unit }: RecordComparison, amount: number): string =>
  is_relative ? percent(amount) : `${Number(amount.toPrecision(2))} ${unit}`.trim();

/** The part of a material (as `shown` names it) that a row compares. */
function partOf({ property, of }: RecordComparison): string {
  switch (property) {
    case 'volume_per_atom':
      return 'structure';
    case 'formation_energy':
    case 'energy':
      return `energy:${of}`;
    case 'band_gap':
      return 'bandGap';
    case 'magnetization_per_atom':
      return 'totalMagnetization';
    case 'k_vrh':
    case 'g_vrh':
      return 'elastic';
    case 'epsilon_electronic':
    case 'epsilon_total':
      return 'dielectric';
  }
}

export const isShown = (record: MaterialRecord, row: RecordComparison): boolean =>
  record.shown.includes(partOf(row));
