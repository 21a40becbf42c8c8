/** `tsx workshop/generators/models/measured-gaps.ts OUT FILE.csv`: formulas with a measured gap (eV) and the part of their system, as JSON lines. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chemicalSystem, parseFormula } from '@unitcell/crystal';
import { partOf } from './split.ts';

const [folder, file] = process.argv.slice(2);
const lines = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [formula, gap] = line.split(',');
    const amounts = parseFormula(formula);
    return JSON.stringify({ formula, amounts, part: partOf(chemicalSystem(amounts)), gap: Number(gap) });
  });
writeFileSync(join(folder, 'measured-gaps.jsonl'), `${lines.join('\n')}\n`);
