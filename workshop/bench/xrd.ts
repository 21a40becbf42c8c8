/**
 * Time of powder patterns, one JSON line per case: 2θ 0–90° of LiFePO4 (28 sites) with Cu, Mo and Ag Kα, and P1 cells
 * of 10, 50 and 200 atoms with Cu Kα. Each case runs in a process of its own: `firstMs` is the first call of a fresh process with
 * the compiling, `meanMs` the mean of all calls, the first included, `medianMs` what a running server sees. CPU time of all threads.
 *
 *   npx tsx workshop/bench/xrd.ts            all cases
 *
 * `pymatgenMs` is the CPU time of pymatgen 2022.11.7 on the machine this project was planned on (not measured here).
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { orderedSite, type Structure } from '@unitcell/crystal';
import { powderPattern } from '@unitcell/diffraction';
import { seededRandom, type Vec3 } from '@unitcell/numerics';

/** As many patterns as a short session of a server. */
const RUNS = 400;

/** Olivine, Pnma: lattice parameters and positions rounded from the usual refinement of LiFePO4. */
function lithiumIronPhosphate(): Structure {
  const general = ([x, y, z]: Vec3): Vec3[] =>
    [
      [x, y, z],
      [0.5 - x, -y, 0.5 + z],
      [-x, 0.5 + y, -z],
      [0.5 + x, 0.5 - y, 0.5 - z],
      [-x, -y, -z],
      [0.5 + x, y, 0.5 - z],
      [x, 0.5 - y, z],
      [0.5 - x, 0.5 + y, 0.5 + z],
    ].map((row) => row.map((value) => ((value % 1) + 1) % 1) as unknown as Vec3);
  const orbit = (element: string, position: Vec3) =>
    [
      ...new Map(general(position).map((one) => [one.map((value) => value.toFixed(4)).join(), one])).values(),
    ].map((one) => orderedSite(element, one));
  return {
    latticeVectors: [
      [10.332, 0, 0],
      [0, 6.01, 0],
      [0, 0, 4.692],
    ],
    sites: [
      ...orbit('Li', [0, 0, 0]),
      ...orbit('Fe', [0.2822, 0.25, 0.9747]),
      ...orbit('P', [0.0948, 0.25, 0.4182]),
      ...orbit('O', [0.0968, 0.25, 0.7428]),
      ...orbit('O', [0.4571, 0.25, 0.206]),
      ...orbit('O', [0.1656, 0.0465, 0.2848]),
    ],
  };
}

function triclinic(atoms: number): Structure {
  const random = seededRandom(atoms);
  const a = Math.cbrt(15 * atoms);
  return {
    latticeVectors: [
      [a, 0.03 * a, 0.01 * a],
      [0.05 * a, 1.05 * a, 0],
      [0.02 * a, 0.04 * a, 0.96 * a],
    ],
    sites: Array.from({ length: atoms }, (_, i) =>
      orderedSite(['O', 'Fe', 'Li', 'P'][i % 4] ?? 'O', [random(), random(), random()]),
    ),
  };
}

const cases: Record<string, { structure: () => Structure; source: string; pymatgenMs: number | null }> = {
  'LiFePO4 Cu': { structure: lithiumIronPhosphate, source: 'CuKa', pymatgenMs: 26 },
  'LiFePO4 Mo': { structure: lithiumIronPhosphate, source: 'MoKa', pymatgenMs: 706 },
  'LiFePO4 Ag': { structure: lithiumIronPhosphate, source: 'AgKa', pymatgenMs: null },
  'P1 10 Cu': { structure: () => triclinic(10), source: 'CuKa', pymatgenMs: 8 },
  'P1 50 Cu': { structure: () => triclinic(50), source: 'CuKa', pymatgenMs: 58 },
  'P1 200 Cu': { structure: () => triclinic(200), source: 'CuKa', pymatgenMs: 437 },
};

function measure(name: string): void {
  const one = cases[name];
  if (!one) throw new Error(`no case "${name}": choose one of ${Object.keys(cases).join(', ')}`);
  const structure = one.structure();
  const times: number[] = [];
  let peaks = 0;
  for (let run = 0; run < RUNS; run++) {
    const before = process.cpuUsage();
    peaks = powderPattern(structure, { source: one.source }).peaks.length;
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  const mean = times.reduce((sum, time) => sum + time, 0) / RUNS;
  const sorted = times.toSorted((a, b) => a - b);
  console.log(
    JSON.stringify({
      bench: 'xrd',
      case: name,
      sites: structure.sites.length,
      peaks,
      firstMs: Number((times[0] ?? 0).toFixed(2)),
      meanMs: Number(mean.toFixed(3)),
      medianMs: Number((sorted[RUNS / 2] ?? 0).toFixed(3)),
      pymatgenMs: one.pymatgenMs,
      ratioOfMean: one.pymatgenMs && Number((one.pymatgenMs / mean).toFixed(1)),
    }),
  );
}

const [name] = process.argv.slice(2);
if (name) measure(name);
else
  for (const one of Object.keys(cases)) {
    const child = spawnSync(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), one], {
      stdio: 'inherit',
    });
    if (child.status !== 0) process.exitCode = 1;
  }
