/** Energy and chemical potentials at one composition of a hull, from its envelope. */
import type { Composition } from '@unitcell/crystal';
import { amountsIn, type Hull, referenceEnergy, sum } from '../hull.ts';

/** Lowest energy per atom of any mixture of entries at the composition, eV/atom. */
export function hullEnergyPerAtom(hull: Hull, composition: Composition): number {
  const amounts = amountsIn(hull, composition);
  return (hull.envelope.heightAt(amounts) + referenceEnergy(hull, amounts)) / sum(amounts);
}

/** Chemical potentials of the components on the facet at a composition, eV/atom. */
export function chemicalPotentials(hull: Hull, composition: Composition): Readonly<Record<string, number>> {
  const { plane } = hull.envelope.locate(amountsIn(hull, composition));
  return Object.fromEntries(
    hull.space.components.map((name, c) => [name, plane[c] + hull.references[c].energyPerAtom]),
  );
}
