/**
 * The compact stored form of a calculated pattern, kept in the database and used to build the search index.
 *
 * Lattice spacings are stored instead of angles, so the same bytes serve every radiation source. Layout, little endian:
 * byte 0 is the format version, byte 1 the number of lines n; n pairs (16-bit spacing code, 16-bit intensity) follow in
 * order of falling spacing: at most 2 + 4 × MAX_PACKED_LINES bytes for a material.
 */
import type { Structure } from '@unitcell/crystal';
import type { Mat3 } from '@unitcell/numerics';
import { DiffractionError } from './diffraction-error.ts';
import { type Probe, REFERENCE_WAVELENGTH, twoThetaDegOf } from './radiation.ts';
import { reflections } from './structure-factors.ts';

/**
 * A reflection below this share of the strongest is forbidden. Rounding leaves about 1e-28, which must not become a
 * line.
 */
const FORBIDDEN_SHARE = 1e-8;

/** Format version in byte 0. */
export const PACKED_PATTERN_VERSION = 1;

/**
 * Range of stored spacings, Å: 2θ from 3.5° to 100.9° for Cu Kα, which includes every strong line of an inorganic
 * powder.
 */
export const PACKED_SPACING_RANGE = { min: 1, max: 25 } as const;

/** Limit of lines stored per material, the strongest first; a stored pattern takes at most 642 bytes. */
export const MAX_PACKED_LINES = 160;

/**
 * Lines whose spacings differ by less than this share are stored as one. 4·10⁻⁴ is 0.017° of 2θ at 40° (Cu Kα),
 * a tenth of the width of a laboratory peak.
 */
export const PACKED_MERGE_RELATIVE = 4e-4;

/** Lines are stored, strongest first, until they carry this share of the total intensity. */
export const PACKED_INTENSITY_SHARE = 0.998;

/** Natural logarithm of the spacing per code step: 4.9·10⁻⁵, an error of at most 0.001° at 40°. */
const LOG_MIN = Math.log(PACKED_SPACING_RANGE.min);
const LOG_STEP = (Math.log(PACKED_SPACING_RANGE.max) - LOG_MIN) / 65535;

export interface PatternLines {
  /** Spacings in Å, falling. */
  readonly dSpacings: ArrayLike<number>;
  /** Integrated intensities at REFERENCE_WAVELENGTH, on any scale. */
  readonly intensities: ArrayLike<number>;
}

/**
 * Packs lines (any order) into the stored form: spacings out of range are left out, close lines are merged at their
 * centre of gravity, and the strongest are kept. The strongest line is stored as 65,535.
 */
export function packPattern(lines: PatternLines): Uint8Array {
  const order: number[] = [];
  for (let i = 0; i < lines.dSpacings.length; i++) {
    const d = lines.dSpacings[i];
    if (d >= PACKED_SPACING_RANGE.min && d <= PACKED_SPACING_RANGE.max && lines.intensities[i] > 0)
      order.push(i);
  }
  order.sort((i, j) => lines.dSpacings[j] - lines.dSpacings[i]);
  const merged: { logD: number; intensity: number }[] = [];
  let groupStart = Number.POSITIVE_INFINITY;
  for (const i of order) {
    const logD = Math.log(lines.dSpacings[i]);
    const intensity = lines.intensities[i];
    const last = merged.at(-1);
    if (last && groupStart - logD < PACKED_MERGE_RELATIVE) {
      last.logD = (last.logD * last.intensity + logD * intensity) / (last.intensity + intensity);
      last.intensity += intensity;
    } else {
      merged.push({ logD, intensity });
      groupStart = logD;
    }
  }
  const total = merged.reduce((sum, line) => sum + line.intensity, 0);
  const strongestFirst = merged.toSorted((a, b) => b.intensity - a.intensity);
  let carried = 0;
  const kept: typeof merged = [];
  for (const line of strongestFirst) {
    if (kept.length >= MAX_PACKED_LINES || carried >= PACKED_INTENSITY_SHARE * total) break;
    carried += line.intensity;
    kept.push(line);
  }
  kept.sort((a, b) => b.logD - a.logD);
  const scale = 65535 / (strongestFirst[0]?.intensity ?? 1);
  const bytes = new Uint8Array(2 + 4 * kept.length);
  const view = new DataView(bytes.buffer);
  bytes[0] = PACKED_PATTERN_VERSION;
  bytes[1] = kept.length;
  for (const [i, line] of kept.entries()) {
    view.setUint16(2 + 4 * i, Math.round((line.logD - LOG_MIN) / LOG_STEP), true);
    view.setUint16(4 + 4 * i, Math.max(1, Math.round(line.intensity * scale)), true);
  }
  return bytes;
}

/**
 * The lines of a stored pattern: spacings in Å (falling) and intensities with the strongest at 100.
 * @throws DiffractionError `bad-pattern` when the bytes are not a stored pattern of this version.
 */
export function unpackPattern(bytes: Uint8Array): { dSpacings: Float64Array; intensities: Float64Array } {
  const count = bytes[1] ?? 0;
  if (bytes[0] !== PACKED_PATTERN_VERSION || bytes.length !== 2 + 4 * count)
    throw new DiffractionError(
      'bad-pattern',
      `${bytes.length} bytes starting with ${bytes[0]}, ${bytes[1]} are not a stored pattern of version ${PACKED_PATTERN_VERSION}: rebuild the patterns`,
    );
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const dSpacings = new Float64Array(count);
  const intensities = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    dSpacings[i] = Math.exp(LOG_MIN + view.getUint16(2 + 4 * i, true) * LOG_STEP);
    intensities[i] = view.getUint16(4 + 4 * i, true) / 655.35;
  }
  return { dSpacings, intensities };
}

/**
 * The stored pattern of a crystal, computed from its reflections at REFERENCE_WAVELENGTH. It has two bytes if no
 * reflection is in range.
 * @throws DiffractionError see `reflections`.
 */
export function packedPatternOf(
  structure: Structure,
  options: { readonly symmetryRotations?: readonly Mat3[]; readonly probe?: Probe | undefined } = {},
): Uint8Array {
  const { min, max } = PACKED_SPACING_RANGE;
  const found = reflections(structure, {
    wavelength: REFERENCE_WAVELENGTH,
    probe: options.probe,
    twoThetaRangeDeg: [twoThetaDegOf(max, REFERENCE_WAVELENGTH), twoThetaDegOf(min, REFERENCE_WAVELENGTH)],
    ...(options.symmetryRotations && { symmetryRotations: options.symmetryRotations }),
  });
  let strongest = 0;
  for (const intensity of found.intensity) strongest = Math.max(strongest, intensity);
  const dSpacings: number[] = [];
  const intensities: number[] = [];
  for (let i = 0; i < found.count; i++) {
    if (found.intensity[i] < FORBIDDEN_SHARE * strongest) continue;
    dSpacings.push(1 / Math.sqrt(found.inverseDSquared[i]));
    intensities.push(found.intensity[i]);
  }
  return packPattern({ dSpacings, intensities });
}
