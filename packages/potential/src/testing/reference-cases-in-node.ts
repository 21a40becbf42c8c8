/// <reference types="node" />
/** Results of the original code (sevenn 0.13.0, torch, double precision). */
import { readFileSync } from 'node:fs';
import { orderedSite, type Structure } from '@unitcell/crystal';
import { inverse3, type Mat3, rowTimesMatrix3, type Vec3 } from '@unitcell/numerics';

export interface StaticCase {
  readonly formula: string;
  readonly species: readonly string[];
  readonly variants: readonly {
    readonly variant: 'stored' | 'strain+rattle' | 'strong';
    readonly lattice: Mat3;
    readonly positions: readonly Vec3[];
    readonly energy: number;
    readonly forces: readonly Vec3[];
    readonly stress: readonly number[];
  }[];
}

export const readJson = (path: string | URL): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** The few cases that are stored in the project; `cases_l3i5` are those of SevenNet-l3i5. */
export const recordedCases = (set: 'cases' | 'cases_l3i5' = 'cases'): readonly StaticCase[] =>
  (
    readJson(new URL('../fixtures/original-results.json', import.meta.url)) as Record<
      typeof set,
      readonly StaticCase[]
    >
  )[set];

/** A structure from Cartesian positions, Å. */
export function fromPositions(
  latticeVectors: Mat3,
  species: readonly string[],
  positions: readonly Vec3[],
): Structure {
  const inverse = inverse3(latticeVectors);
  return {
    latticeVectors,
    sites: species.map((element, site) => orderedSite(element, rowTimesMatrix3(positions[site], inverse))),
  };
}
