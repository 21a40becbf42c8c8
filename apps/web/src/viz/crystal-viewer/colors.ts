/** Colours of atoms by what somebody wants to see of them. */
import { elementBySymbol } from '@unitcell/elements';
import type { Scene, SceneAtom } from './scene.ts';

export type ColorScheme = 'element' | 'wyckoff' | 'coordination';

/** What a colour stands for, in the order of the legend. */
export interface ColorKey {
  readonly name: string;
  readonly color: string;
  /** Sites that have it. */
  readonly count: number;
}

/** Eight hues that stay apart for most eyes (M. Okabe and K. Ito, "Color universal design", 2008), black replaced. */
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
/** What a partly empty site shows instead of atoms. */
export const VACANCY_COLOR = '#e9e6de';

export const elementColor = (element: string): string => elementBySymbol(element).viewerColor;

/** Its key under a scheme: the element, the Wyckoff letter with its element, or the number of bonds. */
export function keyOf(
  atom: SceneAtom,
  scheme: ColorScheme,
  scene: Scene,
  wyckoffs: readonly string[] | undefined,
): string {
  if (scheme === 'wyckoff') return `${atom.element} ${wyckoffs?.[atom.site] ?? '?'}`;
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
  if (scheme !== 'element') names.sort(inOrder.compare);
  return names.map((name, index) => ({
    name,
    color: scheme === 'element' ? elementColor(name) : (HUES[index % HUES.length] ?? HUES[0]),
    count: sites.get(name)?.size ?? 0,
  }));
}

/** Shares of a ball, clockwise from the top: one for an ordered site; the last may be a vacancy. */
export interface Sector {
  readonly color: string;
  /** Of the whole circle; all add up to 1. */
  readonly share: number;
}

/** The most sectors a ball shows; further species of a site join the last. */
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
