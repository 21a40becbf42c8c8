/**
 * Tests decks and outputs that were written by hand in VASP's format, because there is no licence to record real ones.
 */
import { describe, expect, it } from 'vitest';
import type { CalculationStep, StepRequest } from '../calculator.ts';
import { CalculatorError } from '../error.ts';
import { groupedBySpecies } from './deck.ts';
import { readVaspDos, readVaspEigenvalues } from './read-output.ts';
import { readPotcarHead, vasp } from './vasp.ts';

const site = (element: string, x: number) => ({
  species: [{ element, occupancy: 1 }],
  fractionalCoords: [x, 0, 0] as const,
});
/** Li, O, Li along a line; VASP groups both Li atoms. */
const structure = {
  latticeVectors: [
    [6, 0, 0],
    [0, 4, 0],
    [0, 0, 4],
  ] as const,
  sites: [site('Li', 0), site('O', 0.3), site('Li', 0.6)],
};
const request = <S extends CalculationStep>(step: S, more: Partial<StepRequest> = {}) => ({
  title: 'Li2O',
  structure,
  preset: 'standard' as const,
  moments: null,
  isMetal: false,
  dataSets: {
    Li: { element: 'Li', fileName: 'POTCAR.Li', valence: 1, sha256: '' },
    O: { element: 'O', fileName: 'POTCAR.O', valence: 6, sha256: '' },
  },
  workarounds: [],
  ...more,
  step,
});

const outcar = (extra = ''): string => `
 aborting loop because EDIFF is reached
  free  energy   TOTEN  =       -14.30000000 eV
  energy  without entropy=      -14.29000000  energy(sigma->0) =      -14.29500000
 E-fermi :   1.2345     XC(G=0):  -5.0     alpha+bet : -4.0
  external pressure =       12.00 kB  Pullay stress =        0.00 kB
  external pressure =       -0.50 kB  Pullay stress =        0.00 kB
 number of electron       8.0000000 magnetization       1.9876543
 POSITION                                       TOTAL-FORCE (eV/Angst)
 -----------------------------------------------------------------------------------
      0.00000      0.00000      0.00000         0.003000      0.000000      0.004000
 -----------------------------------------------------------------------------------
${extra}
 General timing and accounting informations for this job:
`;
const eigenval = `    3    3    1    1
  0.1 0.1 0.1 0.1 0.5E-15
  1.0
  CAR
 Li2O
      8      2      2

  0.0000000E+00  0.0000000E+00  0.0000000E+00  0.5000000E+00
    1       -5.000000   1.000000
    2        3.000000   0.000000

  0.5000000E+00  0.0000000E+00  0.0000000E+00  0.5000000E+00
    1       -4.500000   1.000000
    2        2.500000   0.000000
`;
const contcar = `Li2O
1.0
 6.1 0 0
 0 4 0
 0 0 4
Li O
2 1
Direct
 0.01 0 0
 0.61 0 0
 0.31 0 0
`;
const ended = (files: Record<string, string>, exitCode = 0) => ({ exitCode, signal: null, files });

describe('vasp.plan', () => {
  it('groups the species and writes every tag that a step needs', () => {
    const { files } = vasp.plan(request('relax', { moments: [0, 1, 2] }));
    expect(files.POSCAR).toContain('Li O\n2 1\n');
    expect(files.INCAR).toContain('ISIF = 3');
    expect(files.INCAR).toContain('ENCUT = 598.7');
    expect(files.INCAR).toContain('MAGMOM = 0.00 2.00 1.00');
    expect(files.INCAR).toContain('LORBIT = 11');
    expect(files.KPOINTS).toMatch(/Gamma\n3 4 4\n/);
  });

  it('has the same convergence limits as the deck for ABINIT, converted to eV and Å', () => {
    // 4·10⁻⁴ Ha/bohr are 4·10⁻⁴ × 27.2114 eV / 0.529177 Å = 0.0206 eV/Å; 10⁻⁴ are 0.0051 (CODATA 2018).
    const ediffg = (preset: StepRequest['preset']): number =>
      Number(/EDIFFG = (\S+)/.exec(vasp.plan(request('relax', { preset })).files['INCAR'] ?? '')?.[1]);
    expect([ediffg('standard'), ediffg('accurate')]).toEqual([-0.0206, -0.0051]);
  });

  it('lists the points of the path, and uses the density of the static step', () => {
    const plan = vasp.plan(
      request('bands', {
        kPoints: [
          [0, 0, 0],
          [0.5, 0, 0],
        ],
      }),
    );
    expect(plan.files.INCAR).toContain('ICHARG = 11');
    expect(plan.files.KPOINTS).toContain('2\nReciprocal\n0.00000000 0.00000000 0.00000000 1\n');
    expect(plan.needs).toEqual([{ step: 'static', file: 'CHGCAR', as: 'CHGCAR' }]);
    expect(() => vasp.plan(request('bands'))).toThrow(CalculatorError);
  });
});

describe('vasp.read', () => {
  it('restores the original order of relaxed atoms', () => {
    const files = {
      OUTCAR: outcar('reached required accuracy - stopping structural energy minimisation'),
      CONTCAR: contcar,
    };
    const outcome = vasp.read(request('relax'), ended(files));
    if (outcome.kind !== 'done') throw new Error(outcome.kind);
    expect(outcome.result.structure.latticeVectors[0][0]).toBeCloseTo(6.1, 12);
    expect(
      outcome.result.structure.sites.map((one) => [one.species[0].element, one.fractionalCoords[0]]),
    ).toEqual([
      ['Li', 0.01],
      ['O', 0.31],
      ['Li', 0.61],
    ]);
  });

  it('continues an unfinished relaxation', () => {
    expect(vasp.read(request('relax'), ended({ OUTCAR: outcar(), CONTCAR: contcar }))).toMatchObject({
      kind: 'retry',
      workarounds: ['continue'],
    });
  });

  it('reads energies, Fermi level, moment and bands', () => {
    const outcome = vasp.read(
      request('static', { moments: [0, 2, 0] }),
      ended({ OUTCAR: outcar(), EIGENVAL: eigenval }),
    );
    expect(outcome).toMatchObject({
      kind: 'done',
      result: {
        energy: -14.295,
        freeEnergy: -14.3,
        fermiEnergy: 1.2345,
        maxForce: 0.005,
        magnetization: 1.9876543,
      },
    });
  });

  it('reads the moment of each site in the order of the structure', () => {
    const table = `
 magnetization (x)

# of ion       s       p       d       tot
------------------------------------------
    1        0.010   0.010   0.000   0.020
    2        0.000   0.000  -0.010  -0.010
    3        0.011   0.012  -1.650  -1.627
--------------------------------------------------
tot          0.021   0.022  -1.660  -1.617
`;
    const outcome = vasp.read(
      request('static', { moments: [0, 2, 0] }),
      ended({ OUTCAR: outcar(table), EIGENVAL: eigenval }),
    );
    // VASP lists the first and the third site, which have the same element, before the second.
    expect(outcome).toMatchObject({ kind: 'done', result: { localMoments: [0.02, -1.627, -0.01] } });
  });

  it('tries other mixing schemes if the density does not converge', () => {
    const files = { OUTCAR: outcar().replace('EDIFF is reached', 'NELM'), EIGENVAL: eigenval };
    expect(vasp.read(request('static'), ended(files))).toMatchObject({
      kind: 'retry',
      workarounds: ['gentle-mixing'],
    });
    const tried = { workarounds: ['gentle-mixing', 'safest-mixing'] as const };
    expect(vasp.read(request('static', tried), ended(files))).toMatchObject({ code: 'scf-not-converged' });
  });

  it.each([
    ['a complaint', { log: '|     VERY BAD NEWS! internal error     |' }, 1, 'engine-refused'],
    ['no end', { log: 'segmentation fault', OUTCAR: 'x' }, 139, 'engine-crashed'],
    ['no memory', { log: 'forrtl: insufficient virtual memory' }, 1, 'out-of-memory'],
    ['a cut EIGENVAL', { OUTCAR: outcar(), EIGENVAL: eigenval.slice(0, 200) }, 0, 'output-incomplete'],
  ])('classifies %s', (_name, files, exitCode, code) => {
    expect(vasp.read(request('static'), ended(files as Record<string, string>, exitCode))).toMatchObject({
      kind: 'failed',
      code,
    });
  });
});

describe('readers', () => {
  it('read eigenvalues with and without spin', () => {
    expect(readVaspEigenvalues(eigenval)).toMatchObject([
      {
        weights: [0.5, 0.5],
        energies: [
          [-5, 3],
          [-4.5, 2.5],
        ],
      },
    ]);
    const spin = eigenval.replaceAll(/^( +\d) +(-?\d+\.\d+) +(\d\.\d+)$/gm, '$1 $2 9.0 $3 $3');
    expect(readVaspEigenvalues(spin)).toMatchObject([
      {
        energies: [
          [-5, 3],
          [-4.5, 2.5],
        ],
      },
      {
        energies: [
          [9, 9],
          [9, 9],
        ],
      },
    ]);
  });

  it('read densities of states and sum the orbitals of an element', () => {
    const head = '3 3 1 0\na\nb\nc\nLi2O\n';
    const block = (rows: string[]): string => `  5.0 -5.0 2 1.0 1.0\n${rows.join('\n')}\n`;
    const atom = (s: number, p: number): string => block([`-1 ${s} ${p} ${p} ${p}`, `1 0 0 0 0`]);
    const text = head + block(['-1 4 4', '1 0 4']) + atom(1, 0) + atom(2, 0) + atom(0, 0.5);
    expect(readVaspDos(text, structure)).toEqual({
      energies: [-1, 1],
      total: [[4, 0]],
      projected: { 'Li s': [3, 0], 'O p': [1.5, 0] },
    });
    expect(() => readVaspDos(head, structure)).toThrow(/cut off/);
  });

  it('read the head of a POTCAR', () => {
    expect(readPotcarHead('  PAW_PBE Si 05Jan2001\n   4.00000000000000\n')).toEqual({
      title: 'PAW_PBE Si 05Jan2001',
      valence: 4,
    });
    expect(() => readPotcarHead('<html>')).toThrow(CalculatorError);
  });

  it('return the species order that VASP needs', () => {
    expect(groupedBySpecies(structure).order).toEqual([0, 2, 1]);
  });
});
