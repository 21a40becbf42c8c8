/** Colours of atoms by the selected property. */
import { elementBySymbol } from '@unitcell/elements';
import { formatNumber } from '../../lib/format.ts';
import type { Scene, SceneAtom } from './scene.ts';

export type ColorScheme = 'element' | 'wyckoff' | 'coordination' | 'moment';

type Rgb = readonly [number, number, number];

/** The colour schemes that apply to a crystal. */
export const schemesOf = ({ moments }: Scene, hasWyckoffs: boolean): readonly ColorScheme[] => [
  'element',
  ...(hasWyckoffs ? (['wyckoff'] as const) : []),
  'coordination',
  ...(moments.some((moment) => moment !== undefined) ? (['moment'] as const) : []),
];

/** The meaning of a colour, in the order of the legend. */
export interface ColorKey {
  readonly name: string;
  readonly color: string;
  /** Number of sites with this key. */
  readonly count: number;
}

/**
 * Eight hues that most people can distinguish (M. Okabe and K. Ito, "Color universal design", 2008), with black
 * replaced.
 */
const HUES = [
  '#0072b2',
  '#e69f00',
  '#009e73',
  '#cc79a7',
  '#d55e00',
  '#56b4e9',
  '#f0e442',
  '#8a8f98',
] as const;
/** Red, green and blue, 0 to 255. */
export const channels = (color: string): Rgb => {
  const at = (place: number): number => Number.parseInt(color.slice(place, place + 2), 16) || 0;
  return [at(1), at(3), at(5)];
};

/** Colour of the empty share of a partly occupied site. */
export const VACANCY_COLOR = '#e9e6de';

export const elementColor = (element: string): string => elementBySymbol(element).viewerColor;

/** μB; moments that differ by less than this share a colour and a line of the legend. */
const MOMENT_STEP = 0.1;
/** Colour of atoms whose moment is zero or unknown. */
const NO_MOMENT = '#c9c6be';
const UP: Rgb = [178, 24, 43];
const DOWN: Rgb = [33, 102, 172];

const momentKey = (moment: number | undefined): string => {
  if (moment === undefined) return '–';
  const steps = Math.round(moment / MOMENT_STEP);
  return `${steps > 0 ? '+' : ''}${formatNumber(steps * MOMENT_STEP, { decimals: 1 })} μB`;
};

/** A colour between that of zero moment and that of the largest moment, spin up or spin down. */
function momentColor(moment: number | undefined, largest: number): string {
  if (moment === undefined || largest < MOMENT_STEP) return NO_MOMENT;
  const share = Math.min(1, Math.abs(moment) / largest);
  const end = moment > 0 ? UP : DOWN;
  const parts = channels(NO_MOMENT).map((none, at) => Math.round(none + share * ((end[at] ?? 0) - none)));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * Key of a site in a scheme: the element, the Wyckoff position with its element, the number of bonds, or the moment.
 */
export function keyOf(
  atom: SceneAtom,
  scheme: ColorScheme,
  scene: Scene,
  wyckoffs: readonly string[] | undefined,
): string {
  if (scheme === 'wyckoff') return `${atom.element} ${wyckoffs?.[atom.site] ?? '?'}`;
  if (scheme === 'moment') return momentKey(scene.moments[atom.site]);
  if (scheme === 'coordination') return String(scene.neighbours[atom.site]?.length ?? 0);
  return atom.element;
}

const inOrder = new Intl.Collator('en', { numeric: true });

/** All keys of a scene with their colours. */
export function colorKeys(
  scene: Scene,
  scheme: ColorScheme,
  wyckoffs?: readonly string[],
): readonly ColorKey[] {
  const sites = new Map<string, Set<number>>();
  for (const atom of scene.atoms) {
    const names =
      scheme === 'element'
        ? atom.species.map(({ element }) => element)
        : [keyOf(atom, scheme, scene, wyckoffs)];
    for (const name of names) sites.set(name, (sites.get(name) ?? new Set()).add(atom.site));
  }
  const names = [...sites.keys()];
  const momentOf = (name: string): number | undefined => scene.moments[[...(sites.get(name) ?? [])][0] ?? -1];
  if (scheme === 'moment') names.sort((a, b) => (momentOf(b) ?? -Infinity) - (momentOf(a) ?? -Infinity));
  else if (scheme !== 'element') names.sort(inOrder.compare);
  const largest = Math.max(0, ...scene.moments.map((moment) => Math.abs(moment ?? 0)));
  const colorOf = (name: string, index: number): string => {
    if (scheme === 'element') return elementColor(name);
    return scheme === 'moment'
      ? momentColor(momentOf(name), largest)
      : (HUES[index % HUES.length] ?? HUES[0]);
  };
  return names.map((name, index) => ({
    name,
    color: colorOf(name, index),
    count: sites.get(name)?.size ?? 0,
  }));
}

/** A sector of a ball, clockwise from the top. An ordered site has one; the last sector may be a vacancy. */
export interface Sector {
  readonly color: string;
  /** Share of the whole circle; all shares add up to 1. */
  readonly share: number;
}

/** Maximum number of sectors of a ball; further species of a site are added to the last one. */
export const MOST_SECTORS = 4;

export function sectorsOf(
  atom: SceneAtom,
  scheme: ColorScheme,
  colorOf: (key: string) => string,
  key: string,
): readonly Sector[] {
  if (scheme !== 'element') return [{ color: colorOf(key), share: 1 }];
  const total = atom.species.reduce((sum, { occupancy }) => sum + occupancy, 0);
  const shares = atom.species.map(({ element, occupancy }) => ({
    color: colorOf(element),
    share: occupancy,
  }));
  if (total < 1 - 1e-3) shares.push({ color: VACANCY_COLOR, share: 1 - total });
  const kept = shares.slice(0, MOST_SECTORS);
  const sum = kept.reduce((all, { share }) => all + share, 0);
  return kept.map(({ color, share }) => ({ color, share: share / sum }));
}
