// A fake engine for tests of the pipeline: answers request.json quickly with a simple crystal.
// FAKE.json beside the scratch folder sets its behaviour by step:
// { "<step>": "hang" | "wait" | "crash" | "hungry" | "refuse" | "scf" | "broken" },
// "energy" is the energy of two atoms in eV (an antiferromagnetic order is 0.1 eV/atom lower), and
// "moments" is one of these: "none" writes no moments of sites; "lost" ends ferromagnetic starts without a
// moment; "unconverged" ends them without convergence.
import { readFileSync, renameSync, writeFileSync, appendFileSync } from 'node:fs';

// "wait" answers once the file contains another behaviour.
const request = JSON.parse(readFileSync('request.json', 'utf8'));
const readPlans = () => {
  try {
    return JSON.parse(readFileSync('../../../FAKE.json', 'utf8'));
  } catch {
    return {};
  }
};
appendFileSync('../../../begun.log', `${request.step} ${process.pid}\n`);
while (readPlans()[request.step] === 'wait') await new Promise((wake) => setTimeout(wake, 50));
const plans = readPlans();
const isAntiferromagnetic = request.moments?.some((moment) => moment < 0) ?? false;
const isUnconverged = plans.moments === 'unconverged' && request.step === 'static' && !isAntiferromagnetic;
const behaviour = isUnconverged ? 'scf' : plans[request.step];

const answer = (result) => {
  writeFileSync('result.part', JSON.stringify(result));
  renameSync('result.part', 'result.json');
};
const atoms = request.structure.species_at_sites.length;
const lost = plans.moments === 'lost' && !isAntiferromagnetic;
const magnetism =
  request.moments && plans.moments !== 'none'
    ? { magnetization: 0, local_moments: request.moments.map((moment) => (lost ? 0 : moment)) }
    : {};
const levels = (kPoints) => ({ k_points: kPoints, energies: kPoints.map(([x]) => [-2 + x, 1 + x]) });

if (behaviour === 'hang') setInterval(() => undefined, 1000);
else if (behaviour === 'crash') process.exit(139);
else if (behaviour === 'hungry') {
  const kept = [];
  setInterval(() => kept.push(Buffer.alloc(50 * 1024 * 1024, 1)), 50);
} else if (behaviour === 'refuse') answer({ error: 'engine-refused', message: 'the deck is wrong' });
else if (behaviour === 'scf') answer({ error: 'scf-not-converged' });
else if (behaviour === 'broken') writeFileSync('result.json', '{"energy":');
else if (request.step === 'relax')
  answer({
    structure: request.structure,
    ...magnetism,
  });
else if (request.step === 'static')
  answer({
    energy: ((plans.energy ?? -10) / 2 - (isAntiferromagnetic ? 0.1 : 0)) * atoms,
    fermi_energy: 0,
    ...magnetism,
    eigenvalues: [
      levels([
        [0, 0, 0],
        [0.5, 0, 0],
      ]),
    ],
  });
else if (request.step === 'bands') answer({ eigenvalues: [levels(request.k_points)] });
else answer({ energies: [-1, 0, 1], total: [[1, 0, 1]], projected: { 'Si p': [1, 0, 1] } });
