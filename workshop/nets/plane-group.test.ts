import { describe, expect, it } from 'vitest';
import { listNets, type PlaneGroup } from '@unitcell/tight-binding';
import { PLANE_GROUPS, parseCoordinates, wyckoffLetter } from './plane-group.ts';

describe('parseCoordinates', () => {
  it('reads a glide: x → x · A + t', () => {
    expect(parseCoordinates('-x+1/2,x-y')).toEqual({
      matrix: [
        [-1, 1],
        [0, -1],
      ],
      translation: [0.5, 0],
    });
  });
});

describe('wyckoffLetter', () => {
  it.each([
    ['p6mm', [0, 0], 'a'],
    ['p6mm', [2 / 3, 1 / 3], 'b'],
    ['p6mm', [0.5, 0.5], 'c'],
    ['p6mm', [0, 0.3], 'd'],
    ['p6mm', [0.2, 0.4], 'e'],
    ['p6mm', [0.1, 0.3], 'f'],
    ['p4gm', [0.5, 0], 'b'],
    ['p4gm', [0.36285, 0.13715], 'c'],
    ['c2mm', [0.75, 0.25], 'c'],
    ['p31m', [0.2, 0.2], 'c'],
    ['p3m1', [0.2, 0.1], 'd'],
    ['p2mg', [0.25, 0.3], 'c'],
  ] as const)('%s %j is on %s (International Tables A)', (group, point, letter) => {
    expect(wyckoffLetter(group, point)).toBe(letter);
  });

  it('the last letter of every group is the general position', () => {
    for (const group of Object.keys(PLANE_GROUPS) as PlaneGroup[])
      expect(wyckoffLetter(group, [0.1234, 0.3071])).toBe(
        'abcdefghi'[PLANE_GROUPS[group].positions.length - 1],
      );
  });
});

describe('the named nets', () => {
  it('occur in all 17 plane groups', () => {
    const seen = new Set(listNets().map(({ planeGroup }) => planeGroup));
    for (const group of seen) expect(Object.keys(PLANE_GROUPS)).toContain(group);
    expect(seen.size).toBeGreaterThanOrEqual(15);
  });

  it('have sites on the positions of their letters', () => {
    for (const net of listNets()) {
      const isCentred = net.planeGroup === 'cm' || net.planeGroup === 'c2mm';
      if (isCentred) continue;
      net.positions.forEach((position, site) =>
        expect(wyckoffLetter(net.planeGroup, position)).toBe(net.orbits[net.orbitOf[site]].wyckoff),
      );
    }
  });
});
