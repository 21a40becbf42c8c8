/**
 * A chemical system for the benchmarks of hulls and windows: the 943 Li-Fe-P-O entries of the `hull-entries` dataset where it lies
 * beside the checkout, filled up with made-up compounds of the same elements, as lines of our import format.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { seededRandom } from '../../packages/numerics/src/index.ts';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';

export const ELEMENTS = ['Li', 'Fe', 'P', 'O'] as const;
export const SYSTEM_SCALE = 'PBE (benchmark)';

const CONVERTER = fileURLToPath(new URL('../convert/hull-entries.ts', import.meta.url));
/** Å: apart enough for atoms of any element. */
const SPACING = 2.6;

/** A compound of these amounts: its atoms on a cubic grid, in turn, with a formation energy in eV/atom. */
export function importLine(
  id: string,
  amounts: Readonly<Partial<Record<string, number>>>,
  formationEnergy: number,
  scale = SYSTEM_SCALE,
): string {
  const atoms = Object.entries(amounts).flatMap(([element, n = 0]) => Array<string>(n).fill(element));
  const side = Math.ceil(Math.cbrt(atoms.length));
  const length = side * SPACING;
  return JSON.stringify({
    structure: {
      lattice: {
        matrix: [
          [length, 0, 0],
          [0, length, 0],
          [0, 0, length],
        ],
      },
      sites: atoms.map((element, i) => ({
        species: [{ element, occu: 1 }],
        abc: [i % side, Math.floor(i / side) % side, Math.floor(i / side ** 2)].map((place) => place / side),
      })),
    },
    formation_energy_per_atom: formationEnergy,
    functional: scale,
    source: { name: 'benchmark', id, licence: 'CC0' },
  });
}

function publishedLines(): string[] {
  if (!hasSharedData) return [];
  const dataset = sharedPath('datasets', 'hull-entries', 'Fe-Li-O-P.jsonl.gz');
  const text = execFileSync(process.execPath, ['--import', 'tsx', CONVERTER, SYSTEM_SCALE, dataset], {
    maxBuffer: 2 ** 28,
  }).toString();
  return text.trim().split('\n');
}

/** Import lines of a system of `count` entries. */
export function systemLines(count: number): string[] {
  const random = seededRandom(20261121);
  const lines = publishedLines().slice(0, count);
  if (lines.length === 0)
    for (const element of ELEMENTS) lines.push(importLine(element, { [element]: 1 }, 0));
  while (lines.length < count) {
    const amounts = ELEMENTS.map(() => (random() < 0.25 ? 0 : Math.ceil(5 * random())));
    const total = amounts.reduce((sum, amount) => sum + amount, 0);
    const mixing = amounts.reduce((sum, amount) => sum + (amount / total) ** 2, -1);
    if (amounts.filter((amount) => amount > 0).length < 2) continue;
    lines.push(
      importLine(
        `made-up-${lines.length}`,
        Object.fromEntries(ELEMENTS.map((element, i) => [element, amounts[i] ?? 0])),
        1.5 * mixing * (0.7 + 0.3 * random()),
      ),
    );
  }
  return lines;
}
