/** Simulated measured patterns for tests: a calculated pattern with background and counting noise. */
import type { Structure } from '@unitcell/crystal';
import { angleGrid, powderPattern, type Probe, profile } from '@unitcell/diffraction';
import { seededRandom } from '@unitcell/numerics';

interface ImportLine {
  readonly structure: {
    readonly lattice: { readonly matrix: readonly (readonly number[])[] };
    readonly sites: readonly {
      readonly species: readonly { element: string; occu: number }[];
      readonly abc: readonly number[];
    }[];
  };
}

/** The structure of a material in the import format. */
export function structureOf({ structure }: ImportLine): Structure {
  const vector = (values: readonly number[]): [number, number, number] => [
    values[0]!,
    values[1]!,
    values[2]!,
  ];
  const [a, b, c] = structure.lattice.matrix.map(vector);
  return {
    latticeVectors: [a!, b!, c!],
    sites: structure.sites.map(({ species, abc }) => ({
      species: species.map(({ element, occu }) => ({ element, occupancy: occu })),
      fractionalCoords: vector(abc),
    })),
  };
}

/** Peaks of a material in the import format. */
export const linesOf = (line: ImportLine, wavelength = 1.54184, probe?: Probe) =>
  powderPattern(structureOf(line), { wavelength, probe }).peaks;

type Lines = readonly { readonly twoThetaDeg: number; readonly intensity: number }[];

export interface Measurement {
  readonly seed?: number;
  /** Counts at the strongest point. */
  readonly counts?: number;
  /** Background counts at low angles. They decrease to a third at high angles. */
  readonly background?: number;
  readonly wavelength?: number;
  readonly crystalliteSizeNm?: number;
  readonly range?: readonly [number, number];
}

/** A scan of 0.02° steps over the lines. */
export function measure(lines: Lines, options: Measurement = {}): { x: number[]; y: number[] } {
  const { seed = 8, counts = 2000, background = 100, wavelength = 1.54184, crystalliteSizeNm = 60 } = options;
  const random = seededRandom(seed);
  const grid = angleGrid(...(options.range ?? [10, 80]), 0.02);
  const curve = profile(lines, { crystalliteSizeNm, wavelength, grid });
  const y = Array.from(curve, (value, i) => {
    const mean = (counts * value) / 100 + background * (1 / 3 + (2 / 3) * Math.exp(-i / 800));
    // A sum of uniform numbers approximates counting noise.
    const noise = random() + random() + random() + random() - 2;
    return Math.max(0, Math.round(mean + noise * Math.sqrt(3 * mean)));
  });
  return { x: Array.from(grid, (angle) => Number(angle.toFixed(2))), y };
}

export const asText = ({ x, y }: { x: readonly number[]; y: readonly number[] }, separator = ' '): string =>
  x.map((angle, i) => `${angle.toFixed(2)}${separator}${y[i]}`).join('\n');

/** A multipart body with one file. */
export function uploadOf(content: string | Uint8Array, field = 'xrd-file', name = 'pattern.txt') {
  const edge = 'edge-of-the-form';
  const head = `--${edge}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n`;
  return {
    payload: Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from(`\r\n--${edge}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${edge}` },
  };
}
