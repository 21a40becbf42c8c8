/** A state to draw on the lattice: one amplitude per site of a cell. */
import type { LocalisedState } from '@unitcell/tight-binding';
import type { Amplitude, BlochFigure } from '../solver/messages.ts';

/** Colour of a phase: a full turn of hue at constant lightness, so that no phase looks more important. */
export function phaseColour(phaseRad: number): string {
  const degrees = ((((phaseRad * 180) / Math.PI + 250) % 360) + 360) % 360;
  return `oklch(0.66 0.15 ${Math.round(degrees)})`;
}

/** Colours by kind of site; after the last one they repeat as open circles. */
const SITE_COLOURS = [
  'var(--uc-prussian)',
  'var(--uc-cinnabar)',
  'var(--uc-malachite)',
  'var(--uc-orpiment)',
  'var(--uc-amethyst)',
  'var(--uc-cat-halogen)',
  'var(--uc-cat-lanthanide)',
  'var(--uc-cat-metalloid)',
] as const;

export const siteColour = (orbit: number): string =>
  SITE_COLOURS[orbit % SITE_COLOURS.length] ?? 'var(--uc-ink)';
export const isOpenSite = (orbit: number): boolean => orbit >= SITE_COLOURS.length;

export interface LatticeFigure {
  readonly caption: string;
  /** Probability of the electron at the site where it is largest; this site gets the largest disc. */
  readonly largest: number;
  readonly amplitudeAt: (site: number, u: number, v: number) => Amplitude | undefined;
}

/** The phase of a Bloch state advances by k from cell to cell. */
export const blochFigure = ({ k, amplitudes }: BlochFigure, caption: string): LatticeFigure => ({
  caption,
  largest: Math.max(...amplitudes.map(({ probability }) => probability)),
  amplitudeAt: (site, u, v) => {
    const own = amplitudes[site];
    return own && { ...own, phaseRad: own.phaseRad + 2 * Math.PI * (k[0] * u + k[1] * v) };
  },
});

export function localisedFigure({ amplitudes }: LocalisedState, caption: string): LatticeFigure {
  const places = new Map(
    amplitudes.map(({ site, dx, dy, amplitude }) => [
      `${site},${dx},${dy}`,
      { probability: amplitude * amplitude, phaseRad: amplitude < 0 ? Math.PI : 0 },
    ]),
  );
  return { caption, largest: 1, amplitudeAt: (site, u, v) => places.get(`${site},${u},${v}`) };
}
