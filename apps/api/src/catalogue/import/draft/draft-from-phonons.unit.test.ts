import { springForceSets, springYaml } from '@unitcell/potential/testing';
import { describe, expect, it } from 'vitest';
import { draftFromPhonons, draftFromPymatgenPhonons } from './draft-from-phonons.ts';

const ORIGIN = { scale: 'PBEsol' };

/** The bands of rock salt at a named point, calculated in the cell with the given primitive matrix. */
function bandsAt(label: string, yaml: string): readonly number[] {
  const files = { 'phonopy.yaml': yaml, FORCE_SETS: springForceSets() };
  const draft = draftFromPhonons('x', JSON.stringify(files), ORIGIN);
  return draft.properties.phonons[0]!.bands.find((point) => point.label === label)!.frequencies;
}

describe('bands of a cell that is not primitive', () => {
  it.each(['X', 'L'])('contain those of the primitive cell at %s', (label) => {
    const whole = springYaml().replace(
      /primitive_matrix:\n(- .*\n){3}/,
      'primitive_matrix:\n- [ 1, 0, 0 ]\n- [ 0, 1, 0 ]\n- [ 0, 0, 1 ]\n',
    );
    const bands = bandsAt(label, whole);
    expect(bands).toHaveLength(24);
    for (const frequency of bandsAt(label, springYaml()))
      expect(Math.min(...bands.map((other) => Math.abs(other - frequency)))).toBeLessThan(1e-3);
  });
});

it.each([
  ['imaginary states', [0, 1, 1, 0.2, 1, 0], true],
  ['a tail of a smeared density', [0, 0, 0.001, 0.2, 2, 0], false],
])('a density of states alone counts as having imaginary modes for %s: %j, %j', (_, densities, expected) => {
  const structure = {
    lattice: {
      matrix: [
        [3, 0, 0],
        [0, 3, 0],
        [0, 0, 3],
      ],
    },
    sites: [{ species: [{ element: 'Po', occu: 1 }], abc: [0, 0, 0] }],
  };
  const frequencies = [-3, -2, -1, 0, 1, 2];
  const density = { '@class': 'CompletePhononDos', structure, frequencies, densities };
  const [phonons] = draftFromPymatgenPhonons('x', density, ORIGIN).properties.phonons;
  expect(phonons!.has_imaginary_modes).toBe(expected);
});
