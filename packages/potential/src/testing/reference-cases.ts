/// <reference types="node" />
/** Results of the original code (sevenn 0.13.0, torch, double precision) where the shared reference data lie beside the checkout. */
import { readFileSync } from 'node:fs';
import { orderedSite, type Structure } from '@unitcell/crystal';
import { inverse3, type Mat3, rowTimesMatrix3, type Vec3 } from '@unitcell/numerics';
import { sharedPath } from '@unitcell/tools/shared-data';

export const referenceCases = <Case>(name: string): readonly Case[] =>
  JSON.parse(readFileSync(sharedPath('reference', 'potential', `${name}.json`), 'utf8')) as readonly Case[];

/** A structure from Cartesian positions, Å. */
export function fromPositions(latticeVectors: Mat3, species: readonly string[], positions: readonly Vec3[]): Structure {
  const inverse = inverse3(latticeVectors);
  return {
    latticeVectors,
    sites: species.map((element, site) => orderedSite(element, rowTimesMatrix3(positions[site], inverse))),
  };
}
