/** A state to be drawn on the lattice: an amplitude for a site of a cell. */
import type { LocalisedState } from '@unitcell/tight-binding';
import type { Amplitude, BlochPicture } from '../solver/messages.ts';

export interface LatticePicture {
  readonly caption: string;
  /** Largest probability of a site. */
  readonly largest: number;
  readonly amplitudeAt: (site: number, u: number, v: number) => Amplitude | undefined;
}

/** A Bloch state turns by k from cell to cell. */
export const blochPicture = ({ k, amplitudes }: BlochPicture, caption: string): LatticePicture => ({
  caption,
  largest: Math.max(...amplitudes.map(({ probability }) => probability)),
  amplitudeAt: (site, u, v) => {
    const own = amplitudes[site];
    return own && { ...own, phaseRad: own.phaseRad + 2 * Math.PI * (k[0] * u + k[1] * v) };
  },
});

export function localisedPicture({ amplitudes }: LocalisedState, caption: string): LatticePicture {
  const places = new Map(
    amplitudes.map(({ site, dx, dy, amplitude }) => [
      `${site},${dx},${dy}`,
      { probability: amplitude * amplitude, phaseRad: amplitude < 0 ? Math.PI : 0 },
    ]),
  );
  return { caption, largest: 1, amplitudeAt: (site, u, v) => places.get(`${site},${u},${v}`) };
}
