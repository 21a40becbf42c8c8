/** The laboratory X-ray lines, neutrons of constant wavelength, and validation of wavelengths and angular ranges. */
import { DiffractionError } from './diffraction-error.ts';

/** Kind of radiation. Neutrons have one wavelength; patterns over their time of flight are not supported. */
export type Probe = 'x-ray' | 'neutron';

export interface RadiationSource {
  /** Identifier in ASCII: `CuKa`, `CuKa1`, … */
  readonly id: string;
  /** Displayed name: `CuKα`. */
  readonly name: string;
  /** Å. For Kα the average of Kα1 and Kα2, weighted 2 : 1. */
  readonly wavelength: number;
  /** Default X-rays. */
  readonly probe?: Probe;
}

const LINES = ['Ka', 'Ka2', 'Ka1', 'Kb1'] as const;

const WAVELENGTHS: Readonly<Record<string, readonly [number, number, number, number]>> = {
  Cu: [1.54184, 1.54439, 1.54056, 1.39222],
  Mo: [0.71073, 0.71359, 0.7093, 0.63229],
  Cr: [2.291, 2.29361, 2.2897, 2.08487],
  Fe: [1.93735, 1.93998, 1.93604, 1.75661],
  Co: [1.79026, 1.79285, 1.78896, 1.63079],
  Ag: [0.560885, 0.563813, 0.559421, 0.497082],
};

/** The 24 available sources: Kα, Kα2, Kα1 and Kβ1 of six anodes; the first is the default, Cu Kα. */
export const RADIATION_SOURCES: readonly RadiationSource[] = Object.entries(WAVELENGTHS).flatMap(
  ([anode, list]) =>
    LINES.map((line, index) => ({
      id: `${anode}${line}`,
      name: `${anode}${line.replace('a', 'α').replace('b', 'β')}`,
      wavelength: list[index],
    })),
);

/** Wavelengths that differ by less than this (Å) are the same line; this is 100 times the last digit of the tables. */
const SAME_WAVELENGTH = 5e-4;

/**
 * Kα1 and Kα2 as ratios to their mean, with their shares, if the wavelength is the unresolved Kα of an anode; undefined
 * for a single line.
 */
export function kAlphaPair(
  wavelength: number,
): readonly { readonly ratio: number; readonly share: number }[] | undefined {
  const anode = Object.values(WAVELENGTHS).find(([mean]) => Math.abs(mean - wavelength) < SAME_WAVELENGTH);
  if (!anode) return undefined;
  const [mean, second, first] = anode;
  return [
    { ratio: first / mean, share: 2 / 3 },
    { ratio: second / mean, share: 1 / 3 },
  ];
}

/** Whether the tube of a listed anode emits the wavelength (Å). */
export const isTubeLine = (wavelength: number): boolean =>
  [COBALT_K_BETA, ...RADIATION_SOURCES.map((listed) => listed.wavelength)].some(
    (line) => Math.abs(line - wavelength) < SAME_WAVELENGTH,
  );

/** Å; J. A. Bearden, Rev. Mod. Phys. 39, 78 (1967). The value in the list of sources is 0.6 % too large. */
const COBALT_K_BETA = 1.62079;

/** Kβ1 (Å) of the anode whose Kα, Kα1 or Kα2 has this wavelength; undefined for other wavelengths. */
export function kBetaOf(wavelength: number): number | undefined {
  const found = Object.entries(WAVELENGTHS).find(([, lines]) =>
    lines.slice(0, -1).some((line) => Math.abs(line - wavelength) < SAME_WAVELENGTH),
  );
  return found?.[0] === 'Co' ? COBALT_K_BETA : found?.[1].at(-1);
}

/** Wavelength (Å, Cu Kα) that stored patterns and the search index refer to. */
export const REFERENCE_WAVELENGTH = 1.54184;

/**
 * Wavelengths (Å) accepted from a user. Below 0.1 Å (124 keV) reflections of ordinary cells crowd into a few
 * degrees; above 10 Å no crystal of the database has a reflection.
 */
export const WAVELENGTH_LIMITS = { min: 0.1, max: 10 } as const;

/** Neutrons of one wavelength (Å), by the text that names them: `neutrons 1.594`. */
export const neutronsOf = (wavelength: number | string): string => `neutrons ${wavelength}`;

/**
 * Finds a source by id (`CuKa`) or displayed name (`CuKα`), in any letter case, with or without blanks and hyphens (`Cu
 * Ka`); or neutrons by `neutrons 1.594`.
 */
export function findRadiationSource(idOrName: string): RadiationSource | undefined {
  const [, neutrons] = /^\s*neutrons?\s+(\d*\.?\d+)\s*$/i.exec(idOrName.slice(0, 40)) ?? [];
  if (neutrons !== undefined) {
    const name = neutronsOf(neutrons);
    return { id: name, name, wavelength: Number(neutrons), probe: 'neutron' };
  }
  const wanted = idOrName.replaceAll(/[\s-]+/g, '').toLowerCase();
  return RADIATION_SOURCES.find(
    ({ id, name }) => id.toLowerCase() === wanted || name.toLowerCase() === wanted,
  );
}

/** @throws DiffractionError `unknown-source`. */
export function radiationSource(idOrName: string): RadiationSource {
  const found = findRadiationSource(idOrName);
  if (found) return found;
  throw new DiffractionError(
    'unknown-source',
    `radiation source "${idOrName.slice(0, 40)}" is not known: choose one of ${RADIATION_SOURCES.map((s) => s.id).join(', ')}, or give a wavelength in Å`,
  );
}

/**
 * Returns the wavelength if it is valid.
 * @throws DiffractionError `bad-wavelength` for zero, negative, not finite or outside WAVELENGTH_LIMITS.
 */
export function checkedWavelength(wavelength: number): number {
  const { min, max } = WAVELENGTH_LIMITS;
  if (!(wavelength >= min && wavelength <= max))
    throw new DiffractionError(
      'bad-wavelength',
      `wavelength is ${wavelength}: expected a number of Å between ${min} and ${max} (Cu Kα is ${REFERENCE_WAVELENGTH})`,
    );
  return wavelength;
}

/**
 * Returns the range if 0 ≤ min < max < 180 (degrees).
 * @throws DiffractionError `bad-range`.
 */
export function checkedTwoThetaRange(range: readonly [number, number]): readonly [number, number] {
  const [min, max] = range;
  if (!(min >= 0 && max > min && max < 180))
    throw new DiffractionError(
      'bad-range',
      `2θ range is ${min} to ${max}: expected 0 ≤ from < to < 180 degrees`,
    );
  return range;
}

/** 2θ in degrees for a lattice spacing; NaN if λ > 2d, where there is no reflection. */
export const twoThetaDegOf = (dSpacing: number, wavelength: number): number =>
  (360 / Math.PI) * Math.asin(wavelength / (2 * dSpacing));

/** Lattice spacing in Å for an angle (Bragg's law). */
export const dSpacingOf = (twoThetaDeg: number, wavelength: number): number =>
  wavelength / (2 * Math.sin((twoThetaDeg * Math.PI) / 360));

/**
 * Lorentz–polarisation factor of an unmonochromated powder diffractometer: (1 + cos² 2θ) / (sin² θ cos θ). Neutrons are
 * not polarised by scattering from nuclei: 1 / (sin² θ cos θ).
 */
export function lorentzPolarisation(twoThetaDeg: number, probe: Probe = 'x-ray'): number {
  const theta = (twoThetaDeg * Math.PI) / 360;
  const sin = Math.sin(theta);
  const cosTwoTheta = 1 - 2 * sin * sin;
  return (probe === 'neutron' ? 1 : 1 + cosTwoTheta * cosTwoTheta) / (sin * sin * Math.cos(theta));
}
