/** The comparison of the sources of a material, ready to be shown. */
import type {
  ComparedFigure,
  ComparedProperty,
  MaterialDetail,
  MaterialRecord,
  RecordComparison,
  SectionSource,
} from '@unitcell/contract/matdata';
import { type FieldMethod, fields, NUMBER_NAMES, type NumberName } from '@unitcell/material';
import { formatNumber } from '../../../lib/format.ts';
import { sourceOf, sourceOfField } from '../sources-view-model.ts';

interface Compared {
  readonly field: NumberName;
  readonly decimals: number;
  /** The part of a material, as `shown` of its records names it. */
  readonly part: string;
}

const FIGURES: Readonly<Record<ComparedFigure, Compared>> = {
  volume_per_atom: { field: 'volume', decimals: 2, part: 'structure' },
  formation_energy: { field: 'formationEnergyPerAtom', decimals: 3, part: 'energy' },
  energy: { field: 'energyPerAtom', decimals: 3, part: 'energy' },
  band_gap: { field: 'bandGap', decimals: 2, part: 'bandGap' },
  magnetization_per_atom: { field: 'totalMagnetization', decimals: 2, part: 'totalMagnetization' },
  k_vrh: { field: 'bulkModulus', decimals: 0, part: 'elastic' },
  g_vrh: { field: 'shearModulus', decimals: 0, part: 'elastic' },
  epsilon_electronic: { field: 'dielectricElectronic', decimals: 2, part: 'dielectric' },
  epsilon_total: { field: 'dielectricTotal', decimals: 1, part: 'dielectric' },
};

export const isFigure = (property: ComparedProperty): property is ComparedFigure => property in FIGURES;

/** Numbers of the table of fields are parts of their own. */
function compared(property: ComparedProperty): Compared {
  if (isFigure(property)) return FIGURES[property];
  const field = NUMBER_NAMES.find((name) => fields[name].column === property)!;
  return { field, decimals: 3, part: field };
}

export const methodOf = ({ property }: RecordComparison): FieldMethod =>
  fields[compared(property).field].method;

export const valueText = ({ property }: RecordComparison, value: number | null): string =>
  formatNumber(value, { decimals: compared(property).decimals });

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
  const text = formatNumber(Math.abs(difference), {
    decimals: row.is_relative ? 1 : compared(row.property).decimals,
  });
  const unit = row.is_relative ? '%' : row.unit;
  return `${difference < 0 ? '−' : '+'}${text} ${unit}`.trim();
}

const partOf = ({ property, of }: RecordComparison): string => {
  const { part } = compared(property);
  return of === '' ? part : `${part}:${of}`;
};

export const isShown = (record: MaterialRecord, row: RecordComparison): boolean =>
  record.shown.includes(partOf(row));

/** Where a value of a record is from: as its section says, where it is the one shown; else its source, which says no more. */
export function recordSource(
  material: Pick<MaterialDetail, 'records' | 'sources'>,
  row: RecordComparison,
  at: number,
): SectionSource | undefined {
  const record = material.records[at];
  if (record === undefined) return undefined;
  const { field } = compared(row.property);
  const section = fields[field].sourceSection;
  const ofShown = row.of === '' ? sourceOfField(material, field) : sourceOf(material, section, row.of);
  const shown = isShown(record, row) ? ofShown : undefined;
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
