/** OUTCAR of VASP 5 and 6, where no vasprun.xml was kept: positions have five digits there. */
import { MAX_READ_SITES, orderedSite } from '@unitcell/crystal';
import { inverse3, type Mat3, rowTimesMatrix3, type Vec3 } from '@unitcell/numerics';
import { CalculatorError } from '../error.ts';
import { readVaspOutcar } from '../vasp/read-output.ts';
import type { FinishedRun } from './finished-run.ts';
import { vaspFunctional } from './read-vasprun.ts';
import { found, numbersIn, vectorIn } from './xml.ts';

/** The first three numbers of so many lines, `skip` lines behind the last place of a heading. */
function lastRows(text: string, heading: string, skip: number, count: number): Vec3[] {
  const at = text.lastIndexOf(heading);
  if (at < 0) throw new CalculatorError('output', `"${heading}" is missing: this is no whole OUTCAR`);
  const lines = text.slice(at).split('\n', skip + count);
  return lines.slice(skip).map((line) => vectorIn(line, heading));
}

const all = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, value]) => value.trim());

/** @throws CalculatorError `output` */
export function readOutcar(text: string): FinishedRun {
  const { isComplete, isScfConverged, energy, fermiEnergy, magnetization } = readVaspOutcar(text);
  if (!isComplete)
    throw new CalculatorError('output', 'the run did not end, or OUTCAR was cut off: its timing is missing');
  if (!isScfConverged)
    throw new CalculatorError('output', 'the electrons did not converge (EDIFF was not reached)');
  const symbols = all(text, /VRHFIN =\s*([A-Z][a-z]?)/g);
  const counts = numbersIn(found(all(text, /ions per type =(.*)/g)[0], 'ions per type'), 'ions per type');
  if (counts.some((count) => !Number.isInteger(count) || count < 0 || count > MAX_READ_SITES))
    throw new CalculatorError(
      'output',
      `ions per type: expected numbers of atoms, found ${counts.join(' ')}`,
    );
  const elements = counts.flatMap((count, kind) =>
    Array.from({ length: count }, () => found(symbols[kind], 'VRHFIN')),
  );
  const [a, b, c] = lastRows(text, 'direct lattice vectors', 1, 3);
  const latticeVectors: Mat3 = [a, b, c];
  const toFractional = inverse3(latticeVectors);
  const positions = lastRows(text, 'TOTAL-FORCE (eV/Angst)', 2, elements.length);
  const us = all(text, /LDAUU =(.*)/g)[0];
  const hubbards = us === undefined ? [] : numbersIn(us, 'LDAUU');
  const titles = all(text, /TITEL {2}=(.*)/g);
  return {
    program: `VASP ${/vasp\.(\S+)/.exec(text)?.[1] ?? ''}`.trim(),
    structure: {
      latticeVectors,
      sites: positions.map((position, site) =>
        orderedSite(elements[site], rowTimesMatrix3(position, toFractional)),
      ),
    },
    energy: found(energy, 'energy(sigma->0)'),
    functional: vaspFunctional({
      gga: all(text, /^\s*GGA\s+=\s*(\S+)/gm)[0] ?? '',
      metagga: all(text, /METAGGA\s*=\s*(\w+)/g)[0] ?? '',
      isHybrid: /LHFCALC\s*=\s*T/.test(text),
      screening: Number(all(text, /HFSCREEN\s*=\s*([\d.]+)/g)[0] ?? 0),
      titles,
    }),
    fermiEnergy,
    bandGap: null,
    magnetization,
    hubbards: Object.fromEntries(
      symbols
        .map((symbol, kind): [string, number] => [symbol, hubbards[kind] ?? 0])
        .filter(([, u]) => u !== 0),
    ),
    settings: {
      cutoff_ev: Number(all(text, /ENCUT\s*=\s*([\d.]+)/g)[0]) || undefined,
      potcar_symbols: titles,
    },
  };
}
