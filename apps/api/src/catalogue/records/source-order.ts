/**
 * Chooses the source whose value is shown in lists and headings if several give one (docs/contributing/adr/0017).
 */
import type { SourceKind, SourceSection } from '@unitcell/contract/matdata';
import { fieldOf, fields, type GivenNumberName, isRecord } from '@unitcell/material';
import { kindsOf, sourceOf } from '../../domain/read-statement.ts';
import type { StandardMaterial } from '../standardise.ts';

/**
 * Priority list, best first: a kind, `own` for results calculated here, `*` for all others, or the name of a
 * source.
 */
export type SourceOrder = readonly string[];

export const DEFAULT_SOURCE_ORDER: SourceOrder = ['measured', 'own', '*'];

/** Source name of results calculated by this site's Run4U. */
export const RUN4U_NAME = 'Unitcell Run4U';

/** A part of a material, by the key of its source in `provenance`. */
export type Section =
  | 'structure'
  | 'formation_energy'
  | 'band_gap'
  | 'electronic'
  | 'elastic_tensor'
  | 'dielectric'
  | 'piezoelectric_total'
  | 'phonons'
  | 'topology';

/** A section, or a number by its name. */
export type Part = Section | GivenNumberName;

/** Sections whose key in `provenance` differs from that in API answers. */
const IN_PROVENANCE: Readonly<Partial<Record<SourceSection, Section>>> = {
  energy: 'formation_energy',
  elastic: 'elastic_tensor',
  piezoelectric: 'piezoelectric_total',
};

const isNumber = (part: Part): part is GivenNumberName => part in fields;

/** The key in `provenance` of a part: the section, or the column of a number. */
export const provenanceKey = (part: Part): string => (isNumber(part) ? fieldOf(part).column : part);

/** The key in `provenance` for the phonons of one functional, if several sources give some. */
export const phononsKey = (functional: string): string => `phonons_${functional}`;

/** The provenance entry of a part: the entry of the number itself, otherwise the entry of the number's section. */
export function statedOrigin(provenance: Readonly<Record<string, unknown>>, part: Part): unknown {
  const own = provenance[provenanceKey(part)];
  if (own !== undefined || !isNumber(part)) return own;
  const { sourceSection } = fields[part];
  return provenance[IN_PROVENANCE[sourceSection] ?? sourceSection];
}

/** The kinds of method that a record states for one of its parts. */
function kindsOfPart(
  { provenance, sourceName, sourceId }: Pick<StandardMaterial, 'provenance' | 'sourceName' | 'sourceId'>,
  part: Part,
): readonly SourceKind[] {
  const entry = statedOrigin(provenance, part);
  if (isRecord(entry) && typeof entry.kind === 'string') return [entry.kind as SourceKind];
  const { observed } = provenance;
  const isCellMeasured =
    part === 'structure' &&
    isRecord(observed) &&
    typeof observed.evidence === 'string' &&
    observed.evidence.includes('measured cell');
  if (isCellMeasured) return ['measured'];
  return kindsOf(sourceOf(entry) || `${sourceName} ${sourceId}`);
}

/** Position of a record's part in the priority list; a smaller position wins. */
export function rankOf(record: StandardMaterial, part: Part, order: SourceOrder): number {
  const kinds: readonly string[] = kindsOfPart(record, part);
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
