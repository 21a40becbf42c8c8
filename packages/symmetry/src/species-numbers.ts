/**
 * Pseudo atomic numbers: symmetry and matching only ask which sites carry the same thing, so every distinct
 * species set (element or mixture with its occupancies) gets one small integer.
 */
import type { Site, Species, Structure } from '@unitcell/crystal';

/** Occupancies that agree to this many decimals are the same mixture: files write three or four. */
export const OCCUPANCY_DECIMALS = 4;

/** A text that two sites share exactly when they carry the same species with the same occupancies. */
export function speciesKey(species: readonly Species[]): string {
  if (species.length === 1 && species[0].occupancy === 1) return species[0].element;
  return species
    .map(({ element, occupancy }) => `${element}:${occupancy.toFixed(OCCUPANCY_DECIMALS)}`)
    .sort()
    .join('+');
}

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
