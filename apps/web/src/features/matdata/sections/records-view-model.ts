/** The comparison of the sources of a material, ready to be shown. */
import type {
  ComparedProperty,
  MaterialDetail,
  MaterialRecord,
  RecordComparison,
  SectionSource,
  SourceSection,
} from '@unitcell/contract/matdata';
import type { MethodId } from '../../../components/provenance/methods.ts';
import { formatNumber } from '../../../lib/format.ts';
import { sourceOf } from '../sources-view-model.ts';

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
  formatNumber(value, { decimals: DIGITS[property] });

const percent = (share: number): string => `${Number((100 * share).toFixed(0))} %`;

/** A spread or a bound as it is read: `6 %`, `0.3 eV`. */
export const amountText = ({ is_relative, unit }: RecordComparison, amount: number): string =>
  is_relative ? percent(amount) : `${Number(amount.toPrecision(2))} ${unit}`.trim();

/** Rows that compare: what one source alone says stands in its section, with where it is from. */
export const comparedRows = (comparison: readonly RecordComparison[]): readonly RecordComparison[] =>
  comparison.filter(({ values }) => values.filter((value) => value !== null).length > 1);

/** How far a value is from the one the page shows: `+3.6 %`, `−0.29 eV`; empty for that one and without it. */
export function differenceText(
  row: RecordComparison,
  at: number,
  records: readonly MaterialRecord[],
): string {
  const shown = records.findIndex((record) => isShown(record, row));
  const [value, reference] = [row.values[at], row.values[shown]];
  if (at === shown || typeof value !== 'number' || typeof reference !== 'number') return '';
  const difference = row.is_relative ? (100 * (value - reference)) / Math.abs(reference) : value - reference;
  const text = formatNumber(Math.abs(difference), { decimals: row.is_relative ? 1 : DIGITS[row.property] });
  const unit = row.is_relative ? '%' : row.unit;
  return `${difference < 0 ? '−' : '+'}${text} ${unit}`.trim();
}

/** The part of a material (as `shown` names it) that each property belongs to. */
const PARTS: Readonly<Record<ComparedProperty, string>> = {
  volume_per_atom: 'structure',
  formation_energy: 'energy',
  energy: 'energy',
  band_gap: 'bandGap',
  magnetization_per_atom: 'totalMagnetization',
  k_vrh: 'elastic',
  g_vrh: 'elastic',
  epsilon_electronic: 'dielectric',
  epsilon_total: 'dielectric',
};
const partOf = ({ property, of }: RecordComparison): string =>
  of === '' ? PARTS[property] : `${PARTS[property]}:${of}`;

export const isShown = (record: MaterialRecord, row: RecordComparison): boolean =>
  record.shown.includes(partOf(row));

const SECTIONS: Readonly<Record<ComparedProperty, SourceSection>> = {
  volume_per_atom: 'structure',
  formation_energy: 'energy',
  energy: 'energy',
  band_gap: 'band_gap',
  magnetization_per_atom: 'energy',
  k_vrh: 'elastic',
  g_vrh: 'elastic',
  epsilon_electronic: 'dielectric',
  epsilon_total: 'dielectric',
};

export const METHODS: Readonly<Record<ComparedProperty, MethodId>> = {
  volume_per_atom: 'cell',
  formation_energy: 'formation',
  energy: 'energy',
  band_gap: 'gap',
  magnetization_per_atom: 'moment',
  k_vrh: 'elastic',
  g_vrh: 'elastic',
  epsilon_electronic: 'dielectric',
  epsilon_total: 'dielectric',
};

/** Where a value of a record is from: as its section says, where it is the one shown; else its source, which says no more. */
export function recordSource(
  material: Pick<MaterialDetail, 'records' | 'sources'>,
  row: RecordComparison,
  at: number,
): SectionSource | undefined {
  const record = material.records[at];
  if (record === undefined) return undefined;
  const section = SECTIONS[row.property];
  const shown = isShown(record, row)
    ? sourceOf(material, section, row.of === '' ? undefined : row.of)
    : undefined;
  const { name, id, licence, url } = record.source;
  const text = `${name} ${id}`.trim();
  return (
    shown ?? {
      section,
      of: row.of,
      kinds: [],
      statement: text,
      is_derived: false,
      method: [],
      licence,
      works: [{ text, url }],
      citation_checked: null,
    }
  );
}
