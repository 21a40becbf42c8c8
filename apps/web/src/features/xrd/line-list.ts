/** The text of a list of spacings and intensities, as tables of reference cards give it. */
import { LISTED_SPACINGS } from '@unitcell/contract/xrd/rules';
import type { ListedLine } from '@unitcell/diffraction';

export type LineList =
  | { readonly kind: 'empty' }
  | { readonly kind: 'lines'; readonly lines: readonly ListedLine[] }
  /** `line` counts from 1. */
  | { readonly kind: 'wrong'; readonly line: number; readonly text: string };

/** One line each: spacing and intensity, separated by spaces, tabs, commas or semicolons. More columns are ignored. */
export function readLineList(text: string): LineList {
  const lines: ListedLine[] = [];
  for (const [index, row] of text.split('\n').entries()) {
    const trimmed = row.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const [d = Number.NaN, intensity = Number.NaN] = trimmed.split(/[\s,;]+/).map(Number);
    if (!(d >= LISTED_SPACINGS.min && d <= LISTED_SPACINGS.max && intensity >= 0 && intensity < Infinity))
      return { kind: 'wrong', line: index + 1, text: trimmed.slice(0, 40) };
    lines.push({ d, intensity });
  }
  return lines.some(({ intensity }) => intensity > 0) ? { kind: 'lines', lines } : { kind: 'empty' };
}
