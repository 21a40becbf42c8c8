/** Bands of plane nets with 3, 12 and 60 sites, and a density of states. */
import { bandStructure, createModel, densityOfStates, energyGrid, netById } from '@unitcell/tight-binding';
import { measure } from './harness.ts';

for (const [id, kPointCount, rounds] of [
  ['kgm', 200, 50],
  ['kgm', 1000, 20],
  ['fxt', 200, 20],
  ['tfr', 200, 3],
] as const) {
  const net = netById(id);
  const bands = () => bandStructure({ net, t1: -1, t2: -0.1, kPointCount });
  await measure(`${id}, ${net.positions.length} sites, ${kPointCount} k-points`, bands, {
    rounds,
    warmUp: 1,
  });
}
const model = createModel({ net: netById('kgm') });
const dos = () => densityOfStates(energyGrid(model, 60), 300);
await measure('density of states of kgm, 60 × 60 grid, 300 bins', dos, { rounds: 10, warmUp: 1 });
