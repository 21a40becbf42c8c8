/**
 * What must be guessed before the first run: moments to start from, and whether it is a metal.
 * Both are corrected by the results: moments that vanish are dropped, the gap decides about the metal.
 */
import type { Structure } from '@unitcell/crystal';

/** µB. The 3d metals that are magnetic in common compounds, slightly above their usual moments. */
export const STARTING_MOMENTS: Readonly<Record<string, number>> = {
  V: 2,
  Cr: 3,
  Mn: 4,
  Fe: 3,
  Co: 2,
  Ni: 1.5,
};

/** With one of these elements a crystal is first taken to have a gap; without any it is a metal. */
export const GAP_FORMERS: ReadonlySet<string> = new Set(
  'H He B C N O F Ne Si P S Cl Ar Ge As Se Br Kr Sb Te I Xe'.split(' '),
);

/** µB of the cell and of a site below which a relaxed crystal is not magnetic. */
export const VANISHING_MOMENT = { cell: 0.05, site: 0.1 } as const;

const elementOf = (site: Structure['sites'][number]): string => site.species[0].element;

/** Ferromagnetic starting moments, or null when no element of the structure asks for spin. */
export function startingMoments(structure: Structure): readonly number[] | null {
  const moments = structure.sites.map((site) => STARTING_MOMENTS[elementOf(site)] ?? 0);
  return moments.some((moment) => moment > 0) ? moments : null;
}

export const guessIsMetal = (structure: Structure): boolean =>
  !structure.sites.some((site) => GAP_FORMERS.has(elementOf(site)));

/** True when a calculation with spin ended without any. */
export const hasVanished = (magnetization: number | null, localMoments: readonly number[]): boolean =>
  Math.abs(magnetization ?? 0) < VANISHING_MOMENT.cell &&
  localMoments.every((moment) => Math.abs(moment) < VANISHING_MOMENT.site);
