/**
 * Pseudo atomic numbers: symmetry and matching only ask which sites carry the same thing, so every distinct
 * species set (element or mixture with its occupancies) gets one small integer.
 */
import { type Site, type Species, speciesKey, type Structure } from '@unitcell/crystal';

export interface SpeciesNumbers {
  /** One number per site, from 1. */
  readonly numbers: number[];
  /** Species of each number: `speciesOf[number - 1]`. */
  readonly speciesOf: readonly (readonly Species[])[];
}

/** Numbers the species sets of a structure in the alphabetical order of their keys, whatever the site order. */
export function numberSpecies(structure: Structure): SpeciesNumbers {
  const keys = structure.sites.map((site: Site) => speciesKey(site.species));
  const firstSite = new Map<string, Site>();
  keys.forEach((key, index) => {
    if (!firstSite.has(key)) firstSite.set(key, structure.sites[index]);
  });
  const sorted = [...firstSite.keys()].sort();
  const numberOf = new Map(sorted.map((key, index) => [key, index + 1]));
  return {
    numbers: keys.map((key) => numberOf.get(key)!),
    speciesOf: sorted.map((key) => firstSite.get(key)!.species),
  };
}
