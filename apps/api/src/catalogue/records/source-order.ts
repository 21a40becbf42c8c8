/** Whose value of a property is the one lists and headings show, where several sources give one (docs/adr/0017). */
import type { SourceKind } from '@unitcell/contract/matdata';
import { kindsOf } from '../../domain/read-statement.ts';
import type { StandardMaterial } from '../standardise.ts';

/** Entries, best first: a kind, `own` for what was calculated here, `*` for all others, or the name of a source. */
export type SourceOrder = readonly string[];

export const DEFAULT_SOURCE_ORDER: SourceOrder = ['measured', 'own', '*'];

/** Sources of this site: what its Run4U calculated. */
export const RUN4U_NAME = 'Unitcell Run4U';

/** A part of a material under the name its source has in `provenance`. */
export type Section =
  | 'structure'
  | 'formation_energy'
  | 'band_gap'
  | 'electronic'
  | 'elastic_tensor'
  | 'dielectric'
  | 'piezoelectric_total'
  | 'topology';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** What a record says of how a part of it was found. */
export function kindsOfSection(
  { provenance, sourceName, sourceId }: Pick<StandardMaterial, 'provenance' | 'sourceName' | 'sourceId'>,
  section: Section,
): readonly SourceKind[] {
  const entry = provenance[section];
  if (isRecord(entry) && typeof entry.kind === 'string') return [entry.kind as SourceKind];
  const { observed } = provenance;
  const isCellMeasured =
    section === 'structure' &&
    isRecord(observed) &&
    typeof observed.evidence === 'string' &&
    observed.evidence.includes('measured cell');
  if (isCellMeasured) return ['measured'];
  const statement =
    typeof entry === 'string'
      ? entry
      : isRecord(entry) && typeof entry.source === 'string'
        ? entry.source
        : '';
  return kindsOf(statement || `${sourceName} ${sourceId}`);
}

/** Position of a record's part in the order; smaller is better. */
export function rankOf(record: StandardMaterial, section: Section, order: SourceOrder): number {
  const kinds: readonly string[] = kindsOfSection(record, section);
  const isNamed = order.includes(record.sourceName);
  const rank = order.findIndex(
    (entry) =>
      entry === record.sourceName ||
      kinds.includes(entry) ||
      (entry === 'own' && record.sourceName === RUN4U_NAME) ||
      (entry === '*' && !isNamed),
  );
  return rank === -1 ? order.length : rank;
}
