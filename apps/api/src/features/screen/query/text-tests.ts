/** Tests of all different texts of a column, by the bytes they lie in one behind the other: no text is made a string. */
import { type Filter, holds } from '@unitcell/filter';
import type { NumberLists, TextColumn } from '../index/screen-index.ts';

type TextMatch = Extract<Filter, { kind: 'text' }>['match'];
type ListTest = Pick<Extract<Filter, { kind: 'has' }>, 'match' | 'tests'>;

const hasAt = (bytes: Uint8Array, at: number, part: Uint8Array): boolean => {
  for (let place = 0; place < part.length; place++) if (bytes[at + place] !== part[place]) return false;
  return true;
};

/** 1 for the code of every text that holds a part, at its start or end or anywhere. */
export function textsWith({ starts, bytes }: TextColumn, match: TextMatch, text: string): Uint8Array {
  const part = Buffer.from(text, 'utf8');
  const passing = new Uint8Array(starts.length);
  for (let code = 1; code < starts.length; code++) {
    const first = starts[code - 1]!;
    const last = starts[code]! - part.length;
    const to = match === 'starts' ? Math.min(first, last) : last;
    for (let at = match === 'ends' ? Math.max(first, last) : first; at <= to; at++)
      if (hasAt(bytes, at, part)) {
        passing[code] = 1;
        break;
      }
  }
  return passing;
}

/** 1 for the code of every list that passes. */
export function listsWith({ starts, entries }: NumberLists, { match, tests }: ListTest): Uint8Array {
  const parts = tests.map(([part]) => ({ operator: part!.operator, to: Number(part!.value) }));
  const passing = new Uint8Array(starts.length);
  for (let code = 1; code < starts.length; code++) {
    const list = entries.subarray(starts[code - 1], starts[code]);
    const passes = (entry: number, { operator, to }: (typeof parts)[number]): boolean =>
      holds(operator, entry - to);
    const isMet = (part: (typeof parts)[number]): boolean => list.some((entry) => passes(entry, part));
    const isSo =
      match === 'only'
        ? list.every((entry) => parts.some((part) => passes(entry, part)))
        : match === 'all'
          ? parts.every(isMet)
          : parts.some(isMet);
    passing[code] = isSo ? 1 : 0;
  }
  return passing;
}
