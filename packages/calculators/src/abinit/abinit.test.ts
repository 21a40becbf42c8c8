/** Tests the recorded input decks, and the interpretation of recorded outputs of the engine. */
import { readFileSync, readdirSync } from 'node:fs';
import { latticeParameters, type Structure } from '@unitcell/crystal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { electronicStructure } from '../band-gap.ts';
import type { CalculationStep, DataSet, RunOutput, StepRequest } from '../calculator.ts';
import { CalculatorError } from '../error.ts';
import { abinit } from './abinit.ts';
import { abinitDeck, readableGrids, readDataSetHead } from './deck.ts';
import { readAbinitEigenvalues } from './read-eigenvalues.ts';
import { groundStates, lastGeometry } from './read-output.ts';

const fixture = (folder: string, file: string): string =>
  readFileSync(new URL(`../fixtures/${folder}/${file}`, import.meta.url), 'latin1');
const filesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(new URL(`../fixtures/${folder}`, import.meta.url)).map((name) => [
      name,
      fixture(folder, name),
    ]),
  );

const dataSet = (element: string, valence: number): DataSet => ({
  element,
  fileName: `${element}.PBE.xml`,
  valence,
  sha256: '',
});
const fccCell = (a: number): Structure['latticeVectors'] => [
  [0, a / 2, a / 2],
  [a / 2, 0, a / 2],
  [a / 2, a / 2, 0],
];
const atom = (element: string, x: number, y: number, z: number): Structure['sites'][number] => ({
  species: [{ element, occupancy: 1 }],
  fractionalCoords: [x, y, z],
});
const silicon: Structure = {
  latticeVectors: fccCell(5.431),
  sites: [atom('Si', 0, 0, 0), atom('Si', 0.25, 0.25, 0.25)],
};
const request = <S extends CalculationStep>(step: S, more: Partial<StepRequest> = {}) => ({
  title: 'Si',
  structure: silicon,
  preset: 'ci' as const,
  moments: null,
  isMetal: false,
  dataSets: { Si: dataSet('Si', 4), Fe: dataSet('Fe', 16) },
  workarounds: [],
  ...more,
  step,
});
const ended = (
  files: Record<string, string>,
  exitCode: number | null = 0,
  signal: string | null = null,
): RunOutput => ({
  exitCode,
  signal,
  files,
});
const completed = (folder: string) => ended({ 'run.abo': 'Calculation completed', ...filesOf(folder) });

describe('the second derivatives of phonons', () => {
  // File format of ABINIT 9.6.2; other versions append a list of the blocks.
  const line = '   1   1   1   1  0.73963179809216D+01  0.00000000000000D+00\n';
  const written = (lines: number, end = '') =>
    ended({
      'run.abo': 'Calculation completed',
      runo_DS3_DDB: ` 2nd derivatives (non-stat.)  - # elements :       3\n qpt  0.0  0.0  0.0   1.0\n${line.repeat(lines)}${end}`,
    });

  it.each(['', '\n List of bloks and their characteristics\n'])(
    'are read if all are there, with the end %j',
    (end) => {
      expect(abinit.read(request('phonons'), written(3, end))).toMatchObject({ kind: 'done' });
    },
  );

  it('are refused if the file is cut off', () => {
    expect(abinit.read(request('phonons'), written(2))).toMatchObject({ code: 'output-incomplete' });
  });
});

describe('the elastic tensor of silicon', () => {
  // Stiffness of silicon in GPa (PBE, preset ci).
  const [c11, c12, c44] = [153.4, 56.9, 74.6];
  const number = (gpa: number): string => (gpa / 29421.0265).toExponential(10).toUpperCase().padStart(18);
  /** What ABINIT echoes after twelve strained cells of a cubic crystal. */
  const echo = Array.from({ length: 12 }, (_, at) => {
    const strain = at % 2 === 0 ? 0.005 : -0.005;
    const index = Math.floor(at / 2);
    const stress = [0, 1, 2, 3, 4, 5].map((k) => {
      if (k > 2 || index > 2) return k === index ? c44 * strain : 0;
      return (k === index ? c11 : c12) * strain;
    });
    const [first, second] = [stress.slice(0, 3), stress.slice(3)].map((row) => row.map(number).join(' '));
    return `           strten${at + 1}   ${first}\n                     ${second}\n`;
  }).join('');
  const output = (relaxed: number): string =>
    `${'gradients are converged\n'.repeat(relaxed)}-outvars: echo values of variables after computation\n${echo}  xred 0 0 0\nCalculation completed`;

  it('is computed from the differences of the stresses', () => {
    const outcome = abinit.read(request('elastic'), ended({ 'run.abo': output(12) }));
    if (outcome.kind !== 'done') throw new Error(outcome.kind);
    const { tensor } = outcome.result;
    expect(tensor[0][0]).toBeCloseTo(c11, 3);
    expect(tensor[2][1]).toBeCloseTo(c12, 3);
    expect(tensor[4][4]).toBeCloseTo(c44, 3);
    expect(tensor[0][3]).toBeCloseTo(0, 6);
  });

  it('is refused if the atoms of a strained cell are not relaxed', () => {
    expect(abinit.read(request('elastic'), ended({ 'run.abo': output(11) }))).toMatchObject({
      kind: 'failed',
      code: 'relax-not-converged',
    });
  });
});

describe('readableGrids', () => {
  // The grid of cerium in gpaw-data 1.2.
  const tag =
    '<radial_grid eq="r=a*i/(1-b*i)" a="0.00012191496227354267" b="0.0004975124378109452" n="2000" istart="0" iend="1999" id="g1"/>';
  const numberIn = (text: string, name: string): number =>
    Number(new RegExp(` ${name}="([^"]*)"`).exec(text)?.[1]);

  it('rewrites a grid in the form that ABINIT reads, with the same points', () => {
    const written = readableGrids(`<a/>${tag}<b/>`);
    expect(written).toContain('eq="r=a*i/(n-i)"');
    expect(written).toContain('istart="0" iend="1999" id="g1"/><b/>');
    const [a, b] = [numberIn(tag, 'a'), numberIn(tag, 'b')];
    const [large, whole] = [numberIn(written, 'a'), numberIn(written, 'n')];
    expect(whole).toBe(2010);
    for (const i of [1, 2, 10, 500, 1000, 1999])
      expect(((large * i) / (whole - i)) * ((1 - b * i) / (a * i))).toBeCloseTo(1, 10);
  });

  it('keeps radial grids that ABINIT can read, and refuses a grid that cannot be converted', () => {
    const usual = '<radial_grid eq="r=a*i/(n-i)" a="0.4" n="450" istart="0" iend="449" id="g1"/>';
    expect(readableGrids(usual)).toBe(usual);
    expect(() => readableGrids(tag.replace('0.0004975124378109452', '0.000497'))).toThrow(/radial grid/);
  });
});

describe('abinitDeck', () => {
  it('writes the recorded deck', () => {
    const wanted = fixture('si-relax', 'run.abi');
    const deck = abinitDeck(request('relax'));
    // The recorded run started from the same standard cell; its vectors agree up to rounding in the last
    // digits.
    const settings = (text: string): string[] => text.split('\n').filter((line) => /^[a-z]/.test(line));
    expect(settings(deck)).toEqual(settings(wanted));
  });

  it.each([
    ['static', /tolvrs 1\.0d-9\nprtden 1/],
    ['dos', /getden_filepath "in_DEN" iscf -3/],
  ] as const)('includes the settings of the %s step', (step, pattern) => {
    expect(abinitDeck(request(step))).toMatch(pattern);
  });

  it('lists every k-point of a path, including paths with discontinuities', () => {
    const deck = abinitDeck(
      request('bands', {
        kPoints: [
          [0, 0, 0],
          [0.5, 0, 0.5],
        ],
      }),
    );
    expect(deck).toContain('nkpt 2 istwfk 2*1\nkpt\n  0.00000000 0.00000000 0.00000000\n  0.50000000');
    expect(deck).not.toContain('ngkpt');
    expect(() => abinitDeck(request('bands'))).toThrow(CalculatorError);
  });

  it('uses spin if there are moments, and enough bands for the channel with more electrons', () => {
    const iron: Structure = { latticeVectors: fccCell(3.6), sites: [atom('Fe', 0, 0, 0)] };
    const without = abinitDeck(request('static', { structure: iron }));
    const withSpin = abinitDeck(request('static', { structure: iron, moments: [3] }));
    expect(without).not.toContain('nsppol');
    expect(withSpin).toContain('nsppol 2 nspden 2\nspinat\n  0 0 3.00');
    const bandsIn = (deck: string): number => Number(/nband (\d+)/.exec(deck)?.[1]);
    expect(bandsIn(withSpin)).toBeGreaterThan(bandsIn(without));
  });

  it('writes U by type of atom and the dispersion correction only if they are asked for', () => {
    const dataSets = { Ni: dataSet('Ni', 16), O: dataSet('O', 6) };
    const structure: Structure = {
      latticeVectors: fccCell(4.17),
      sites: [atom('O', 0.5, 0.5, 0.5), atom('Ni', 0, 0, 0)],
    };
    const more = { structure, dataSets, moments: [0, 1.5] };
    const deck = abinitDeck(request('static', { ...more, hubbardU: { Ni: 6.2 }, hasDispersion: true }));
    expect(deck).toContain('usepawu 1 lpawu -1 2 upawu 0.00 6.20 eV\nvdw_xc 7\n');
    expect(abinitDeck(request('static', { ...more, hubbardU: {} }))).not.toMatch(/usepawu|vdw_xc/);
  });

  it('applies each of six strains of half a percent with both signs, and relaxes the atoms', () => {
    const deck = abinitDeck(request('elastic'));
    const cells = [...deck.matchAll(/^rprim(\d+)\n((?: .*\n){3})/gm)].map(([, , lines]) =>
      lines.trim().split(/\s+/).map(Number),
    );
    expect(cells).toHaveLength(12);
    const half = 5.431 / 2 / 0.529177210544;
    // Strain xx lengthens the x components; strain yz rotates a vector along [011] within the yz plane.
    [0, half, half, 1.005 * half, 0, half, 1.005 * half, half, 0].forEach((value, at) => {
      expect(cells[0][at]).toBeCloseTo(value, 7);
    });
    [0, 1.0025 * half, 1.0025 * half, half, 0.0025 * half, half, half, half, 0.0025 * half].forEach(
      (value, at) => {
        expect(cells[6][at]).toBeCloseTo(value, 7);
      },
    );
    expect(deck).toMatch(/ndtset 12\n[\s\S]*ionmov 22 optcell 0/);
  });

  it('for an insulator, calculates responses to displacements and fields, with all bands filled', () => {
    const deck = abinitDeck(request('phonons'));
    expect(deck).toContain('occopt 1 nband 4');
    expect(deck).toMatch(/ndtset 3 jdtset 1 2 3\n[\s\S]*rfelfd2 2[\s\S]*rfatpol3 1 2[\s\S]*rfelfd3 3/);
    // Without these wave vectors, the ground state would be written to a different file than the one the
    // responses read.
    expect(deck).toMatch(/^nqpt2 1 qpt2 0 0 0 nqpt3 1 qpt3 0 0 0$/m);
  });

  it('for a metal, calculates responses to displacements only, with smearing', () => {
    const deck = abinitDeck(request('phonons', { isMetal: true }));
    expect(deck).toContain('occopt 7');
    expect(deck).not.toContain('rfelfd');
    expect(deck).toMatch(/^nqpt3 1 qpt3 0 0 0$/m);
  });

  it('refuses structures that cannot be calculated', () => {
    const half = {
      ...silicon,
      sites: [{ ...silicon.sites[0], species: [{ element: 'Si', occupancy: 0.5 }] }],
    };
    expect(() => abinitDeck(request('static', { structure: half }))).toThrow(/partly occupied/);
    expect(() => abinitDeck(request('static', { structure: { ...silicon, sites: [] } }))).toThrow(/no atoms/);
    expect(() => abinitDeck(request('static', { dataSets: {} }))).toThrow(/data set of Si/);
  });

  it('consists of plain words and finite numbers, whatever the cell', () => {
    const length = fc.double({ min: 2, max: 30, noNaN: true });
    const coordinate = fc.double({ min: -1, max: 2, noNaN: true });
    fc.assert(
      fc.property(
        length,
        length,
        length,
        fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 1, maxLength: 8 }),
        fc.string(),
        (a, b, c, positions, title) => {
          const structure: Structure = {
            latticeVectors: [
              [a, 0, 0],
              [0, b, 0],
              [0, 0, c],
            ],
            sites: positions.map(([x, y, z]) => atom('Si', x, y, z)),
          };
          const deck = abinitDeck(request('static', { structure, title }));
          expect(deck).not.toMatch(/NaN|Infinity|undefined/);
          expect(/natom (\d+)/.exec(deck)?.[1]).toBe(String(positions.length));
          expect(deck.split('\n').every((line) => line.length < 264)).toBe(true);
        },
      ),
      { seed: 9, numRuns: 50 },
    );
  });
});

describe('abinit.read', () => {
  it('reads the geometry of a relaxation in full precision, and a remaining pressure near zero', () => {
    const outcome = abinit.read(request('relax'), completed('si-relax'));
    expect(outcome.kind).toBe('done');
    if (outcome.kind !== 'done') return;
    const { a, alpha } = latticeParameters(outcome.result.structure.latticeVectors);
    // PBE silicon at a = 5.47 Å; 0.3 % more at this low cutoff.
    expect(a * Math.SQRT2).toBeCloseTo(5.487, 2);
    expect(alpha).toBeCloseTo(60, 6);
  });

  it('reads total energy and gap of silicon', () => {
    const outcome = abinit.read(request('static'), completed('si-static'));
    const bands = abinit.read(request('bands', { kPoints: kPointsOf('si-bands') }), completed('si-bands'));
    if (outcome.kind !== 'done' || bands.kind !== 'done') throw new Error(`${outcome.kind}, ${bands.kind}`);
    expect(outcome.result.energy).toBeCloseTo(-216.7594, 3);
    expect(outcome.result.eigenvalues).toHaveLength(1);
    const electronic = electronicStructure(
      [...outcome.result.eigenvalues, ...bands.result.eigenvalues],
      outcome.result.fermiEnergy,
    );
    // Gap of 0.61 eV from Γ to 0.85 of Γ–X: Materials Project mp-149.
    expect(electronic).toMatchObject({ isMetal: false, isDirect: false });
    expect(Math.abs(electronic.gap - 0.61)).toBeLessThan(0.05);
  });

  it('reads the moment of iron', () => {
    const outcome = abinit.read(request('static', { moments: [3] }), completed('fe-static'));
    if (outcome.kind !== 'done') throw new Error(outcome.kind);
    expect(outcome.result.eigenvalues).toHaveLength(2);
    expect(outcome.result.magnetization).toBeCloseTo(2.35, 1);
    expect(outcome.result.localMoments[0]).toBeCloseTo(2.41, 1);
    expect(electronicStructure(outcome.result.eigenvalues, outcome.result.fermiEnergy).isMetal).toBe(true);
  });

  it('reads densities of states whose integral up to the gap is the number of valence electrons', () => {
    const outcome = abinit.read(request('dos', { fermiEnergy: 3.1 }), completed('si-dos'));
    if (outcome.kind !== 'done') throw new Error(outcome.kind);
    const { energies, total, projected } = outcome.result;
    const step = energies[1] - energies[0];
    const electrons = energies.reduce((sum, energy, i) => sum + (energy < 3.1 ? total[0][i] * step : 0), 0);
    expect(electrons).toBeCloseTo(8, 1);
    expect(Object.keys(projected)).toEqual(['Si s', 'Si p', 'Si d']);
  });

  it('retries twice with gentler mixing if the density does not converge, then fails', () => {
    const files = filesOf('si-static');
    files['run.abo'] += '\n nstep= 100 was not enough SCF cycles to converge;\n';
    const first = abinit.read(request('static'), ended(files));
    expect(first).toMatchObject({ kind: 'retry', workarounds: ['gentle-mixing'] });
    const second = abinit.read(request('static', { workarounds: ['gentle-mixing'] }), ended(files));
    expect(second).toMatchObject({ kind: 'retry', workarounds: ['gentle-mixing', 'safest-mixing'] });
    const third = abinit.read(
      request('static', { workarounds: ['gentle-mixing', 'safest-mixing'] }),
      ended(files),
    );
    expect(third).toMatchObject({ kind: 'failed', code: 'scf-not-converged' });
  });

  it('continues an unfinished relaxation from its last geometry, a limited number of times', () => {
    const files = filesOf('si-relax');
    files['run.abo'] = files['run.abo'].replaceAll('gradients are converged', 'gradients are not');
    const outcome = abinit.read(request('relax'), ended(files));
    expect(outcome).toMatchObject({ kind: 'retry', workarounds: ['continue'] });
    if (outcome.kind !== 'retry') throw new Error(outcome.kind);
    expect(outcome.structure?.latticeVectors).not.toEqual(silicon.latticeVectors);
    const tired = request('relax', { workarounds: ['continue', 'continue', 'continue', 'continue'] });
    expect(abinit.read(tired, ended(files))).toMatchObject({ kind: 'failed', code: 'relax-not-converged' });
  });

  const report = (tag: string, message: string): string =>
    `x\n--- !${tag}\nsrc_file: m_some.F90\nmessage: |\n    ${message}\n...\n`;
  it.each([
    ['DilatmxError', 'too large', { kind: 'retry', workarounds: ['wide-cell-range', 'continue'] }],
    ['ERROR', 'Lbfgs routine failed', { kind: 'retry', workarounds: ['plain-bfgs', 'continue'] }],
    ['MemanaError', 'no memory', { kind: 'failed', code: 'out-of-memory' }],
    ['ERROR', 'typat is wrong', { kind: 'failed', code: 'engine-refused', detail: 'typat is wrong' }],
  ])('classifies %s as %s', (tag, message, wanted) => {
    const files = { log: report(tag, message), 'run.abo': fixture('si-relax', 'run.abo') };
    expect(abinit.read(request('relax'), ended(files, 14))).toMatchObject(wanted);
  });

  it.each([
    ['DilatmxError', 'too large', 'wide-cell-range'],
    ['ERROR', 'Lbfgs routine failed', 'plain-bfgs'],
  ] as const)('retries after %s (%s) once, and fails the second time', (tag, message, tried) => {
    const files = { log: report(tag, message), 'run.abo': fixture('si-relax', 'run.abo') };
    const again = request('relax', { workarounds: [tried, 'continue'] });
    expect(abinit.read(again, ended(files, 14))).toMatchObject({ kind: 'failed', code: 'engine-refused' });
    // A continuation before the error does not count as a failure.
    const resumed = request('relax', { workarounds: ['continue'] });
    expect(abinit.read(resumed, ended(files, 14))).toMatchObject({
      kind: 'retry',
      workarounds: ['continue', tried, 'continue'],
    });
  });

  it('an unconverged relaxation is continued a second and a third time', () => {
    const files = filesOf('si-relax');
    files['run.abo'] = files['run.abo'].replaceAll('gradients are converged', 'gradients are not');
    for (const count of [1, 2, 3]) {
      const workarounds = Array.from({ length: count }, () => 'continue' as const);
      expect(abinit.read(request('relax', { workarounds }), ended(files))).toMatchObject({
        kind: 'retry',
        workarounds: [...workarounds, 'continue'],
      });
    }
  });

  it('distinguishes a killed process, a crash and a stop at the time limit', () => {
    expect(abinit.read(request('static'), ended({ 'run.abo': '' }, null, 'SIGKILL'))).toMatchObject({
      code: 'out-of-memory',
    });
    expect(abinit.read(request('static'), ended({ log: 'segfault' }, 139))).toMatchObject({
      code: 'engine-crashed',
    });
    expect(abinit.read(request('static'), ended({ log: 'Approaching time limit' }))).toMatchObject({
      code: 'time-limit',
    });
  });

  it('never throws, wherever an output is truncated', () => {
    for (const [step, folder] of [
      ['relax', 'si-relax'],
      ['static', 'si-static'],
      ['dos', 'si-dos'],
    ] as const) {
      const whole = filesOf(folder);
      for (let share = 0; share < 1; share += 0.07) {
        const files = Object.fromEntries(
          Object.entries(whole).map(([name, text]) => [name, text.slice(0, Math.floor(text.length * share))]),
        );
        const outcome = abinit.read(
          request(step),
          ended({ ...files, 'run.abo': `${files['run.abo'] ?? ''}\nCalculation completed` }),
        );
        expect(['done', 'failed', 'retry']).toContain(outcome.kind);
      }
    }
  });
});

const kPointsOf = (folder: string) => readAbinitEigenvalues(fixture(folder, 'runo_EIG'))[0].kPoints;

describe('readers', () => {
  it('find every geometry of a relaxation', () => {
    const states = groundStates(fixture('si-relax', 'run.abo'));
    expect(states.length).toBeGreaterThan(2);
    expect(states[0].pressureGpa).toBeGreaterThan(1);
    expect(lastGeometry('', silicon)).toBeNull();
  });

  it('refuse a truncated file of eigenvalues', () => {
    const text = fixture('si-static', 'runo_EIG');
    expect(() => readAbinitEigenvalues(text.slice(0, text.length - 40))).toThrow(/cut off/);
    expect(() => readAbinitEigenvalues('')).toThrow(/empty/);
  });

  it('read the head of a data set', () => {
    const xml =
      '<?xml version="1.0"?>\n<paw_setup version="0.6">\n  <atom symbol="Si" Z="14" core="10.0" valence="4"/>\n  <xc_functional type="GGA" name="PBE"/>';
    expect(readDataSetHead(xml)).toEqual({ element: 'Si', valence: 4, functional: 'PBE' });
    expect(() => readDataSetHead('<html>')).toThrow(CalculatorError);
  });
});
