/** Worker thread: measured powder patterns, the index of calculated ones, and its search. */
import { MAX_PATTERN_POINTS } from '@unitcell/contract/xrd';
import { background, type MeasurementRecord, readMeasuredPattern } from '@unitcell/diffraction';
import type { Note } from '../../messages/messages.ts';
import { archiveMembers } from './archive-members.ts';
import type { Pattern } from './match/search-part.ts';

export { refreshIndex } from './index/refresh-index.ts';
export { prepareMatch, prepareRest, reportHits, searchPart } from './match/search-part.ts';
export {
  prepareCandidates,
  proposeCandidates,
  reviewPhases,
  weighPhases,
} from './refine/identify-pattern.ts';
export { refinePattern } from './refine/refine-pattern.ts';

export interface ReadPattern extends Pattern {
  readonly notes: readonly Note[];
  readonly record: MeasurementRecord | undefined;
}

/** Number of scans named in the note on unused scans. */
const SHOWN_SCANS = 5;

/** Digits of an intensity, more than any counter has. */
const DIGITS = 7;
const rounded = (value: number): number => Number(value.toPrecision(DIGITS));

/** Averages groups of neighbouring points, to stay within the allowed number of points. */
function thinned(values: Float64Array, group: number): number[] {
  return Array.from({ length: Math.ceil(values.length / group) }, (_, i) => {
    const part = values.subarray(i * group, (i + 1) * group);
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  });
}

/** Reads the pattern in a file and averages it if it has too many points. */
export const receivePattern = async (bytes: Uint8Array): Promise<ReadPattern> =>
  patternIn(bytes, await archiveMembers(bytes));

export function patternIn(
  bytes: Uint8Array,
  members: ReadonlyMap<string, Uint8Array> = new Map(),
): ReadPattern {
  const read = readMeasuredPattern(bytes, members);
  const { record } = read;
  const notes: Note[] = [];
  if (record && record.otherScans.length > 0)
    notes.push([
      'xrd.note.other-scans',
      {
        count: record.otherScans.length + 1,
        scans:
          record.otherScans.slice(0, SHOWN_SCANS).join(', ') +
          (record.otherScans.length > SHOWN_SCANS ? ', …' : ''),
      },
    ]);
  if (record?.contradictsAnode)
    notes.push(['xrd.note.contradiction', { anode: record.anode ?? '', wavelength: record.kAlpha1 ?? '?' }]);
  if (record?.isSlitVariable) notes.push(['xrd.note.variable-slit', { slit: record.divergenceSlit ?? '?' }]);
  if (read.skippedLines > 0) notes.push(['xrd.note.skipped', { count: read.skippedLines }]);
  if (read.mergedPoints > 0) notes.push(['xrd.note.merged', { count: read.mergedPoints }]);
  if (read.negativePoints > 0) notes.push(['xrd.note.negative', { count: read.negativePoints }]);
  if (read.decimalComma) notes.push(['xrd.note.decimal-comma']);
  if (read.columns === 3) notes.push(['xrd.note.third-column']);
  const group = Math.ceil(read.x.length / MAX_PATTERN_POINTS);
  if (group === 1) return { x: [...read.x], y: [...read.y], notes, record };
  const x = thinned(read.x, group);
  notes.push(['xrd.note.thinned', { from: read.x.length, to: x.length }]);
  return { x, y: thinned(read.y, group).map(rounded), notes, record };
}

export interface WithoutBackground {
  readonly y: readonly number[];
  readonly background: readonly number[];
}

/** Intensities above the background, clipped at zero, and the background. */
export function splitBackground({ x, y }: Pattern): WithoutBackground {
  const level = background(x, y);
  return {
    y: y.map((value, i) => rounded(Math.max(0, value - level[i]!))),
    background: Array.from(level, rounded),
  };
}
