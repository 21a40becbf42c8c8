import type { Structure } from '@unitcell/crystal';
import type { Engine, Voigt } from './engine.ts';

/** The structure inverted by r → −r. */
const inverted = (structure: Structure): Structure => ({
  ...structure,
  sites: structure.sites.map((site) => {
    const [x, y, z] = site.fractionalCoords;
    return { ...site, fractionalCoords: [-x, -y, -z] };
  }),
});

/**
 * The mean over a crystal and its mirror image, at twice the cost. The network has no parity, so without the mean the
 * two forms of a chiral crystal differ by up to 2 meV/atom.
 */
export const mirrorAverage = (engine: Engine): Engine => ({
  evaluate(structure) {
    const [here, mirror] = [engine.evaluate(structure), engine.evaluate(inverted(structure))];
    const mean = (value: number, other: number): number => (value + other) / 2;
    return {
      energy: mean(here.energy, mirror.energy),
      energies: here.energies.map((value, i) => mean(value, mirror.energies[i])),
      forces: here.forces.map((value, i) => mean(value, -mirror.forces[i])),
      stress: here.stress.map((value, i) => mean(value, mirror.stress[i])) as unknown as Voigt,
    };
  },
});
