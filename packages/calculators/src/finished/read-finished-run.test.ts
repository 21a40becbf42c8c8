/**
 * Tests finished runs: recorded runs of ABINIT (README.md), and files in the formats of VASP and Quantum
 * ESPRESSO written by hand.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { latticeParameters } from '@unitcell/crystal';
import { ESPRESSO, OUTCAR, VASPRUN } from '../testing/finished-runs.ts';
import { isFinishedRun, readFinishedRun } from './read-finished-run.ts';

const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8');

it('isFinishedRun recognises a finished run by its file name', () => {
  expect(
    ['a/vasprun.xml', 'run.abo', 'out/si.save/data-file-schema.xml', 'a/OUTCAR'].every(isFinishedRun),
  ).toBe(true);
  expect(['POSCAR', 'a.xml', 'notvasprun.xml'].some(isFinishedRun)).toBe(false);
});

describe('vasprun.xml', () => {
  it('gives the last geometry, the energy without smearing, gap, functional, U and data sets', () => {
    const run = readFinishedRun('FeO/vasprun.xml', VASPRUN);
    expect(run).toMatchObject({
      program: 'VASP 6.3.0',
      energy: -14,
      functional: 'PBE',
      fermiEnergy: 2,
      bandGap: 2.5,
      hubbards: { Fe: 5.3 },
      settings: { cutoff_ev: 520, potcar_symbols: ['PAW_PBE Fe_pv 02Aug2007', 'PAW_PBE O 08Apr2002'] },
    });
    expect(run.structure.latticeVectors[0]).toEqual([0, 2.15, 2.15]);
    expect(run.structure.sites.map(({ species }) => species[0]?.element)).toEqual(['Fe', 'O']);
  });

  it.each([
    ['cut off', VASPRUN.slice(0, -200), /cut off/],
    ['not converged', VASPRUN.replace('>    60<', '>     2<'), /did not converge in 2 steps/],
    ['without an energy that is a number', VASPRUN.replaceAll(/-14\.0+ /g, '******** '), /expected numbers/],
    [
      'with an empty energy',
      VASPRUN.replaceAll(/-14\.0+ /g, ' '),
      /the energy: expected numbers, found nothing/,
    ],
    [
      'without the name of an atom',
      VASPRUN.replace(/<rc><c>Fe<.*/, '<rc></rc>'),
      /the name of an atom is missing/,
    ],
    ['with a flat row of the cell', VASPRUN.replaceAll('2.15000000 </v>', '</v>'), /basis is missing/],
    ['without atoms', VASPRUN.replace(/<atominfo>[\s\S]*<\/atominfo>/, ''), /atominfo is missing/],
  ])('is refused when it is %s', (_, text, message) =>
    expect(() => readFinishedRun('vasprun.xml', text)).toThrow(message),
  );

  it('reads a file with a million unclosed tags in linear time', () => {
    const text = VASPRUN.replace('</eigenvalues>', `${'<r>'.repeat(1_000_000)}</eigenvalues>`);
    expect(readFinishedRun('vasprun.xml', text)).toEqual(readFinishedRun('vasprun.xml', VASPRUN));
  });

  it.each([
    ['<i type="string" name="METAGGA"> R2SCAN</i>', 'r2SCAN'],
    ['<i type="string" name="METAGGA">SCAN</i>', 'SCAN'],
    ['<i type="string" name="GGA">PS</i>', 'PBEsol'],
    ['<i type="string" name="GGA">RE</i>', 'revPBE'],
    ['<i type="string" name="GGA">--</i>', 'PBE'],
    ['<i type="string" name="GGA">XY</i>', 'GGA=XY'],
    ['<i type="string" name="METAGGA">TPSS</i>', 'TPSS'],
    ['<i type="string" name="GGA">BO</i><i type="logical" name="LUSE_VDW">T</i>', 'optB88vdW'],
    ['<i type="string" name="GGA">PE</i><i type="int" name="IVDW">12</i>', 'PBE-D3'],
  ])('recognises %s as %s', (tag, functional) => {
    const text = VASPRUN.replace('<i type="string" name="GGA">PE</i>', tag);
    expect(readFinishedRun('vasprun.xml', text).functional).toBe(functional);
  });
});

describe('OUTCAR', () => {
  it('gives the same results as vasprun.xml of the same run', () => {
    const [run, other] = [readFinishedRun('a/OUTCAR', OUTCAR), readFinishedRun('vasprun.xml', VASPRUN)];
    expect(run).toMatchObject({
      program: 'VASP 6.3.2',
      energy: other.energy,
      functional: other.functional,
      hubbards: other.hubbards,
      settings: other.settings,
      magnetization: 4,
      fermiEnergy: 2.1,
    });
    expect(run.structure.latticeVectors).toEqual(other.structure.latticeVectors);
    expect(run.structure.sites[1]?.fractionalCoords.map((x) => Number(x.toFixed(9)))).toEqual([
      0.5, 0.5, 0.5,
    ]);
  });

  it.each([
    [/General timing/, 'cut', /did not end/],
    [/EDIFF is reached/, 'no', /did not converge/],
    [/direct lattice vectors/g, 'x', /no whole OUTCAR/],
  ])('is refused without %s', (part, instead, message) =>
    expect(() => readFinishedRun('OUTCAR', OUTCAR.replace(part, instead))).toThrow(message),
  );
});

it.each([
  ['GGA     =    RE', 'revPBE'],
  ['GGA     =    --', 'PBE'],
  ['METAGGA =  MS2', 'MS2'],
  ['METAGGA =  F', 'PBE'],
])('OUTCAR with %s is a run of %s', (tag, functional) => {
  const text = OUTCAR.replace('GGA     =    PE', tag);
  expect(readFinishedRun('OUTCAR', text).functional).toBe(functional);
});

describe('data-file-schema.xml', () => {
  it.each([
    ['<functional>SLA PW RPB PBC</functional>', 'SLA+PW+RPB+PBC'],
    ['<functional>revPBE</functional>', 'revPBE'],
    ['<functional>PBE</functional><vdW><vdw_corr>grimme-d3</vdw_corr></vdW>', 'PBE-D3'],
  ])('names the functional of %s %s', (tag, functional) => {
    const text = ESPRESSO.replace('<functional>PBESOL</functional>', tag);
    expect(readFinishedRun('data-file-schema.xml', text).functional).toBe(functional);
  });

  it('gives geometry, energy, gap and functional in Å and eV', () => {
    const run = readFinishedRun('si.save/data-file-schema.xml', ESPRESSO);
    expect(run).toMatchObject({ program: 'Quantum ESPRESSO 7.2', functional: 'PBEsol', magnetization: null });
    // Energy (−7.9 + 0.001) Ha, gap 0.02 Ha, cutoff 20 Ha; 10.26 bohr is 5.429 Å.
    expect(run.energy).toBeCloseTo(-7.899 * 27.211386, 4);
    expect(run.bandGap).toBeCloseTo(0.02 * 27.211386, 5);
    expect(run.settings['cutoff_ev']).toBeCloseTo(544.228, 2);
    const { a, alpha } = latticeParameters(run.structure.latticeVectors);
    expect(a * Math.SQRT2).toBeCloseTo(5.4294, 3);
    expect(alpha).toBeCloseTo(60, 6);
    expect(run.structure.sites[1]?.species[0]?.element).toBe('Si');
    for (const x of run.structure.sites[1].fractionalCoords) expect(Math.abs(x % 0.25)).toBeCloseTo(0, 9);
  });

  it('gives the moment of a spin-polarised run, and the smallest gap over both channels', () => {
    const text = ESPRESSO.replaceAll('<lsda>false</lsda>', '<lsda>true</lsda>')
      .replace(
        '<noncolin>false</noncolin>',
        '<noncolin>false</noncolin><total>2.0000e0</total><absolute>2.1e0</absolute>',
      )
      // Spin up has −0.2 below and 0.27 above the Fermi level of 0.235 Ha, spin down has −0.3 and 0.22 below, 0.28
      // above.
      .replace('size="3">-0.2 0.22 0.25', 'size="6">-0.2 0.27 0.3 -0.3 0.22 0.28')
      .replace('size="3">-0.1 0.20 0.24', 'size="6">-0.1 0.26 0.3 -0.3 0.20 0.29');
    const run = readFinishedRun('data-file-schema.xml', text);
    expect(run.magnetization).toBe(2);
    // The top of the down channel is 0.22 Ha, the bottom of the up channel 0.26 Ha.
    expect(run.bandGap).toBeCloseTo(0.04 * 27.211386, 5);
  });

  it('is refused if it did not converge or was truncated', () => {
    expect(() =>
      readFinishedRun('data-file-schema.xml', ESPRESSO.replace('achieved>true', 'achieved>false')),
    ).toThrow(/did not converge/);
    expect(() => readFinishedRun('data-file-schema.xml', ESPRESSO.slice(0, 900))).toThrow(/cut off/);
  });
});

describe('the main output of ABINIT', () => {
  it('gives the same results as a run started from Run4U', () => {
    const run = readFinishedRun('run.abo', fixture('si-static/run.abo'));
    expect(run).toMatchObject({
      program: 'ABINIT 9.6.2',
      functional: 'PBE',
      magnetization: null,
      hubbards: {},
    });
    expect(
      run.structure.sites.map(({ species, fractionalCoords }) => [species[0]?.element, ...fractionalCoords]),
    ).toEqual([
      ['Si', 0.5, 0.5, 0.5],
      ['Si', 0.75, 0.75, 0.75],
    ]);
    // The lattice parameter is 2 × 5.18478 bohr.
    expect(latticeParameters(run.structure.latticeVectors).a * Math.SQRT2).toBeCloseTo(5.4873, 3);
    expect(run.fermiEnergy).toBeCloseTo(0.11443 * 27.2114, 2);
    expect(run.energy / 2).toBeLessThan(-100);
  });

  it('gives the last cell and the moment of a spin-polarised relaxation', () => {
    const run = readFinishedRun('run.abo', fixture('fe-relax/run.abo'));
    const { a, alpha } = latticeParameters(run.structure.latticeVectors);
    expect((2 * a) / Math.sqrt(3)).toBeCloseTo(2.85, 1);
    expect(alpha).toBeCloseTo(109.471, 2);
    expect(run.magnetization).toBeGreaterThan(2);
  });

  it('has a Hubbard U only if the run switched it on', () => {
    const withU = (lines: string) =>
      readFinishedRun('run.abo', fixture('si-static/run.abo').replaceAll(/^ +typat +1 +1$/gm, `$&\n${lines}`))
        .hubbards;
    const upawu = '            upawu      1.8374662E-01 Hartree';
    // 5 eV are 0.18374662 Ha (CODATA 2018).
    expect(withU(`          usepawu           1\n${upawu}`).Si).toBeCloseTo(5, 5);
    expect(withU(upawu)).toEqual({});
  });

  it('is refused if it was truncated', () => {
    expect(() => readFinishedRun('run.abo', fixture('si-static/run.abo').slice(0, -3000))).toThrow(/cut off/);
  });
});
