import { describe, expect, it } from 'vitest';
import { compositionOf } from '../composition.ts';
import { CrystalError } from '../error.ts';
import { formulaOf } from '../formula.ts';
import { cellVolume, latticeParameters } from '../lattice.ts';
import { readPoscar } from './read-poscar.ts';

const CELL = '4 0 0\n0 4 0\n0 0 4\n';
const POSITIONS = '0 0 0\n.5 .5 .5\n';
interface Parts {
  title?: string;
  scale?: string;
  cell?: string;
  header?: string;
  mode?: string;
  positions?: string;
}
const poscar = ({
  title = 'x',
  scale = '1.0',
  cell = CELL,
  header = 'Cs Cl\n1 1\n',
  mode = 'Direct',
  positions = POSITIONS,
}: Parts = {}): string => `${title}\n${scale}\n${cell}${header}${mode}\n${positions}`;

describe('readPoscar reads', () => {
  it.each([
    ['the plain form', poscar()],
    ['carriage returns and a byte-order mark', `\ufeff${poscar().replaceAll('\n', '\r\n')}`],
    [
      'selective dynamics',
      poscar({ mode: 'Selective dynamics\nDirect', positions: '0 0 0 T T F\n.5 .5 .5 F F F\n' }),
    ],
    ['Cartesian positions', poscar({ mode: 'cartesian', positions: '0 0 0\n2 2 2\n' })],
    [
      'Cartesian positions, scaled',
      poscar({ scale: '2', cell: '2 0 0\n0 2 0\n0 0 2\n', mode: 'K', positions: '0 0 0\n1 1 1\n' }),
    ],
    ['the volume as scale', poscar({ scale: '-64.0', cell: '1 0 0\n0 1 0\n0 0 1\n' })],
    [
      'three scale factors',
      poscar({ scale: '1 2 4', cell: '4 0 0\n0 2 0\n0 0 1\n', mode: 'C', positions: '0 0 0\n2 1 .5\n' }),
    ],
    ['names of potentials', poscar({ header: 'Cs_sv Cl/a1b2c3\n1 1\n' })],
    [
      'VASP 4 with names behind the positions',
      poscar({ header: '1 1\n', positions: '0 0 0 Cs\n.5 .5 .5 Cl\n' }),
    ],
    ['VASP 4 with names in the title', poscar({ title: 'Cs Cl', header: '1 1\n' })],
    [
      'VASP 4 with flags and names',
      poscar({ header: '1 1\n', mode: 'S\nD', positions: '0 0 0 T T F Cs\n.5 .5 .5 F F F Cl\n' }),
    ],
    ['names and counts on two lines', poscar({ header: 'Cs\nCl\n1\n1\n' })],
    [
      'Fortran exponents and comments',
      poscar({ scale: '0.1D+01 ! scale', positions: '0 0 0\n5.0d-1 .5 .5\n' }),
    ],
    ['velocities behind', `${poscar()}\n0.1 0.1 0.1\n0 0 0\n`],
  ])('%s', (_, text) => {
    const { structure } = readPoscar(text);
    expect(formulaOf(compositionOf(structure))).toBe('CsCl');
    expect(cellVolume(structure.latticeVectors)).toBeCloseTo(64, 9);
    expect(latticeParameters(structure.latticeVectors).b).toBeCloseTo(4, 9);
    for (const value of structure.sites[1].fractionalCoords) expect(value).toBeCloseTo(0.5, 12);
  });
});

describe('readPoscar refuses, with the position,', () => {
  it.each<[string, string, RegExp, number | undefined]>([
    ['an empty file', '', /empty/, undefined],
    ['a scale that is no number', poscar({ scale: 'one' }), /scale line has 0 numbers/, 2],
    ['two scale factors', poscar({ scale: '1 2' }), /scale line has 2 numbers/, 2],
    ['scale 0', poscar({ scale: '0.0' }), /scale factor is 0/, 2],
    ['a negative factor of three', poscar({ scale: '1 1 -1' }), /negative/, 2],
    ['a vector of two numbers', poscar({ cell: '4 0 0\n0 4\n0 0 4\n' }), /second lattice vector/, 4],
    ['infinite vectors', poscar({ cell: '1e999 0 0\n0 4 0\n0 0 4\n' }), /"1e999" is no number/, 3],
    ['a flat cell', poscar({ cell: '4 0 0\n0 4 0\n4 4 0\n' }), /no volume/, 5],
    ['a cell beyond measure', poscar({ scale: '1e9' }), /at most 10000/, 5],
    ['an unknown element', poscar({ header: 'Cs Xx\n1 1\n' }), /"Xx" is no element/, 6],
    ['more names than counts', poscar({ header: 'Cs Cl\n1\n' }), /2 elements but 1 counts/, 7],
    ['a count that is no whole number', poscar({ header: 'Cs Cl\n1 1.5\n' }), /"1.5" is no count/, 7],
    ['a negative count', poscar({ header: 'Cs Cl\n1 -1\n' }), /"-1" is no count/, 7],
    ['no atoms', poscar({ header: 'Cs Cl\n0 0\n' }), /all counts are 0/, 7],
    ['nameless elements', poscar({ header: '1 1\n' }), /does not name its elements/, 6],
    ['a missing mode', poscar({ mode: '0 0 0' }), /expected "Direct" or "Cartesian"/, 8],
    ['too few positions', poscar({ positions: '0 0 0\n' }), /position 2 of 2/, 10],
    ['a blank line among positions', poscar({ positions: '0 0 0\n\n.5 .5 .5\n' }), /position 2 of 2/, 10],
    ['overflown positions', poscar({ positions: '0 0 0\n*** 0 0\n' }), /"\*\*\*" is no number/, 10],
    ['positions beyond all cells', poscar({ positions: '0 0 0\n1e9 0 0\n' }), /more than 10000 cells/, 10],
    ['a file cut off', 'x\n1.0\n4 0 0\n', /expected/, 4],
  ])('%s', (_, text, message, line) => {
    let caught: unknown;
    try {
      readPoscar(text);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(CrystalError);
    const error = caught as CrystalError;
    expect(error.code).toBe('poscar');
    expect(error.message).toMatch(message);
    expect(error.line).toBe(line);
  });

  it('huge counts, before memory is allocated', () => {
    expect(() => readPoscar(poscar({ header: 'Cs Cl\n999999999 1\n' }))).toThrow(/999999999 atoms: at most/);
    expect(() => readPoscar(poscar({ header: `Cs Cl\n${'9'.repeat(400)} 1\n` }))).toThrow(/at most/);
  });
});
