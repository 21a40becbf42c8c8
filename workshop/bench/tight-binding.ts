/**
 * Time to calculate bands: 200 k-points of kagome (3 bands), of a net with 12 sites and of one with 60, and 1,000
 * k-points of kagome, which numpy repeats where python3 has it.
 *
 *   node --import tsx workshop/bench/tight-binding.ts
 *
 * Prints JSON lines: milliseconds of the first call in the process and the median of the following ones.
 */
import { spawnSync } from 'node:child_process';
import {
  bandStructure,
  createModel,
  densityOfStates,
  energyGrid,
  netById,
} from '../../packages/tight-binding/src/index.ts';

const CASES = [
  { name: 'kgm, 3 bands, 200 k', id: 'kgm', kPointCount: 200, runs: 50, limitMs: 2 },
  { name: 'fxt, 12 bands, 200 k', id: 'fxt', kPointCount: 200, runs: 20, limitMs: 60 },
  { name: 'tfr, 60 bands, 200 k', id: 'tfr', kPointCount: 200, runs: 3, limitMs: 1500 },
  { name: 'kgm, 3 bands, 1000 k', id: 'kgm', kPointCount: 1000, runs: 20, limitMs: undefined },
];

function timed(run: () => unknown, runs: number): { firstMs: number; medianMs: number } {
  const times = Array.from({ length: runs + 1 }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  const [first, ...rest] = times;
  const round = (ms: number) => Math.round(ms * 1000) / 1000;
  return { firstMs: round(first), medianMs: round(rest.toSorted((a, b) => a - b)[Math.floor(runs / 2)]) };
}

netById('kgm');
for (const { name, id, kPointCount, runs, limitMs } of CASES) {
  const net = netById(id);
  const result = timed(() => bandStructure({ net, t1: -1, t2: -0.1, kPointCount }), runs);
  console.log(JSON.stringify({ bench: 'bands', name, sites: net.positions.length, ...result, limitMs }));
}
const model = createModel({ net: netById('kgm') });
const dos = timed(() => densityOfStates(energyGrid(model, 60), 300), 10);
console.log(JSON.stringify({ bench: 'density of states', name: 'kgm, 60 × 60 grid, 300 bins', ...dos }));

/** The same 1,000 points with numpy: H for all k at once by broadcasting, then the batched eigenvalues. */
const NUMPY = `
import json, sys, time
import numpy as np
edges, points = json.load(sys.stdin)
def bands():
    k = np.array(points)
    h = np.zeros((len(k), 3, 3), complex)
    for i, j, x, y in edges:
        phase = -np.exp(2j * np.pi * (k[:, 0] * x + k[:, 1] * y))
        h[:, i, j] += phase
        h[:, j, i] += phase.conj()
    return np.linalg.eigvalsh(h)
bands()
times, cpu = [], []
for _ in range(20):
    a, c = time.perf_counter(), time.process_time()
    bands()
    times.append((time.perf_counter() - a) * 1000)
    cpu.append((time.process_time() - c) * 1000)
print(json.dumps({"medianMs": round(sorted(times)[10], 3), "medianCpuMs": round(sorted(cpu)[10], 3), "numpy": np.__version__}))
`;
const kagome = netById('kgm');
const { kPoints } = bandStructure({ net: kagome, kPointCount: 1000 });
const numpy = spawnSync('python3', ['-c', NUMPY], {
  input: JSON.stringify([kagome.edges, kPoints]),
  encoding: 'utf8',
});
const reference =
  numpy.status === 0 ? (JSON.parse(numpy.stdout) as object) : { skipped: 'numpy is not installed' };
const own = timed(() => bandStructure({ net: kagome, t1: -1, kPointCount: 1000 }), 20);
console.log(JSON.stringify({ bench: 'kagome against numpy', kPoints: 1000, ours: own, reference }));
