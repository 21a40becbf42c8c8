/** Materials that several sources speak of, composed anew from their records. Runs in a worker thread. */
import { draftFromImportLine } from '../import/draft/draft-from-import-line.ts';
import { type StandardMaterial, standardise } from '../standardise.ts';
import { composeMaterial } from './compose-material.ts';
import { type RecordFigures, recordFigures } from './record-figures.ts';
import type { SourceOrder } from './source-order.ts';

export interface MergeRequest {
  /** Its records in the order they came, as lines of the import format. */
  readonly lines: readonly object[];
  readonly order: SourceOrder;
}

export interface MergedMaterial {
  readonly material: StandardMaterial;
  /** Of `lines`. */
  readonly figures: readonly RecordFigures[];
}

function mergeOne({ lines, order }: MergeRequest): MergedMaterial {
  const records = lines.map((line) => standardise(draftFromImportLine(line), true));
  const { material, shown } = composeMaterial(records, order);
  return { material, figures: records.map((record, index) => recordFigures(record, shown[index] ?? [])) };
}

export const mergeRecords = (requests: readonly MergeRequest[]): MergedMaterial[] => requests.map(mergeOne);
