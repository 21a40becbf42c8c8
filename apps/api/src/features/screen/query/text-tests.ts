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
  const passes = (at: number, place: number): boolean => {
    const { operator, to } = parts[place]!;
    return holds(operator, entries[at]! - to);
  };
  const isMet = (place: number, from: number, end: number): boolean => {
    for (let at = from; at < end; at++) if (passes(at, place)) return true;
    return false;
  };
  const areAllNamed = (from: number, end: number): boolean => {
    for (let at = from; at < end; at++) if (!parts.some((_, place) => passes(at, place))) return false;
    return true;
  };
  const passing = new Uint8Array(starts.length);
  for (let code = 1; code < starts.length; code++) {
    const [from, end] = [starts[code - 1]!, starts[code]!];
    const isSo =
      match === 'only'
        ? areAllNamed(from, end)
        : match === 'all'
          ? parts.every((_, place) => isMet(place, from, end))
          : parts.some((_, place) => isMet(place, from, end));
    passing[code] = isSo ? 1 : 0;
  }
  return passing;
}
