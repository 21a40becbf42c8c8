/** The peaks of a calculated pattern, and which of them are labelled in the drawing. */
import type { MaterialXrd } from '@unitcell/contract/matdata';
import { barred } from '../plot/rich-text.tsx';

export interface Reflection {
  readonly twoThetaDeg: number;
  /** Integrated; the strongest is 100. */
  readonly intensity: number;
  /** Reflections that coincide, with their multiplicities: `(1 1 0) ×4, (2 0 0) ×6`. */
  readonly forms: string;
  /** Å */
  readonly dSpacing: number | null;
  /** Height of the profile at the peak. */
  readonly height: number;
}

const D_SPACING = /,? ?d = ([\d.]+) Å$/;

/** Reflections in order of angle, read from the texts of the answer. */
export function reflectionsOf({ data, x, y }: MaterialXrd): Reflection[] {
  const [peaks] = data;
  const step = (x[1] ?? 1) - (x[0] ?? 0);
  return (peaks?.x ?? []).map((twoThetaDeg, index) => {
    const text = peaks?.text[index] ?? '';
    const d = D_SPACING.exec(text)?.[1];
    return {
      twoThetaDeg,
      intensity: peaks?.y[index] ?? 0,
      forms: text.replace(D_SPACING, ''),
      dSpacing: d === undefined ? null : Number(d),
      height: y[Math.round((twoThetaDeg - (x[0] ?? 0)) / step)] ?? 0,
    };
  });
}

/** Minimum height of a labelled peak in %; hovering shows the indices of lower peaks. */
const NAMED_FROM_HEIGHT = 4;
/** Share of the range that a label needs. */
const NAME_WIDTH = 0.035;

/** The strongest peaks in the range whose labels do not overlap. A label is the first form, such as `(1 1 0)`. */
export function namedReflections(
  reflections: readonly Reflection[],
  [from, to]: readonly [number, number],
  nameWidth: number = NAME_WIDTH,
): (Reflection & { readonly name: string })[] {
  const room = (to - from) * nameWidth;
  const chosen: (Reflection & { readonly name: string })[] = [];
  const inRange = reflections.filter(
    ({ twoThetaDeg, height }) => twoThetaDeg >= from && twoThetaDeg <= to && height >= NAMED_FROM_HEIGHT,
  );
  for (const reflection of inRange.toSorted((a, b) => b.height - a.height)) {
    if (chosen.some(({ twoThetaDeg }) => Math.abs(twoThetaDeg - reflection.twoThetaDeg) < room)) continue;
    chosen.push({ ...reflection, name: indicesText(reflection.forms, barred) });
  }
  return chosen;
}

/** A bar above every digit, for plain text. */
const withMacrons = (digits: string): string => digits.replace(/\d/g, '$&\u0304');

/** Indices in crystallographic notation: `110`, negative ones with a bar; spaces only if a number has two digits. */
export function indicesText(forms: string, bar: (digits: string) => string = withMacrons): string {
  const indices = /\(([^)]*)\)/.exec(forms)?.[1]?.split(' ') ?? [];
  const gap = indices.some((index) => Math.abs(Number(index)) > 9) ? ' ' : '';
  return indices.map((index) => (index.startsWith('-') ? bar(index.slice(1)) : index)).join(gap);
}

/** The strongest reflections as text: `101 26.64°, 100 20.86°`. */
export const strongestReflections = (reflections: readonly Reflection[]): string =>
  reflections
    .toSorted((a, b) => b.intensity - a.intensity)
    .slice(0, 3)
    .map(({ forms, twoThetaDeg }) => `${indicesText(forms)} ${twoThetaDeg.toFixed(2)}°`)
    .join(', ');
