import { springForceSets, springYaml } from '@unitcell/potential/testing';
import { describe, expect, it } from 'vitest';
import { draftFromPhonons } from './draft-from-phonons.ts';

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
