// An engine for soak tests: answers request.json after a moment, with the results of a simple made-up crystal
// (docs/methods/engines.md).
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

const request = JSON.parse(readFileSync('request.json', 'utf8'));
const levels = (kPoints) => ({ k_points: kPoints, energies: kPoints.map(([x]) => [-2 + x, 1 + x]) });
const GAMMA_AND_X = [
  [0, 0, 0],
  [0.5, 0, 0],
];
const ANSWERS = {
  relax: () => ({ structure: request.structure }),
  static: () => ({ energy: -10, fermi_energy: 0, eigenvalues: [levels(GAMMA_AND_X)] }),
  bands: () => ({ eigenvalues: [levels(request.k_points)] }),
  dos: () => ({ energies: [-1, 0, 1], total: [[1, 0, 1]], projected: {} }),
};
// Long enough to be killed midway.
await new Promise((wake) => setTimeout(wake, 200));
writeFileSync('result.part', JSON.stringify(ANSWERS[request.step]()));
renameSync('result.part', 'result.json');
