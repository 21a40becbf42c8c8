/**
 * The tables of the model card once more (`npm run bench -- prediction`): what the program that ships says of all crystals and formulas of
 * systems never taught, in datasets/mp-structures and datasets/mp2018-energies of the shared folder. Prints the rows of the card; ends with 1
 * where one differs; `--write` has the card state what was found. Some ten thousand crystals, four minutes of one core, then the hulls and the design; what was asked is kept beside the
 * generator's own work and goes on where it was stopped. The row that compares with the training code is left as it is: that takes torch
 * (`JUDGE=1 npm run generate models`).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';
import type { ModelManifest, ModelMetrics } from '@unitcell/prediction';
import { nameOfModel, openModelInNode } from '@unitcell/prediction/node';
import { askProgram } from '../generators/models/ask-program.ts';
import { cardTables, checkCard, writeCard } from '../generators/models/card.ts';
import { readHeldOut } from '../generators/models/held-out.ts';
import {
  gapBands,
  judgeDomain,
  judgeEnergy,
  judgeGap,
  judgeHull,
  judgeModulus,
  judgePbeGap,
  type Told,
} from '../generators/models/judge.ts';
import { TRAINING_FOLDER } from '../generators/models/model-folder.ts';

const STRUCTURES = sharedPath('datasets', 'mp-structures');
const TABLES = sharedPath('datasets', 'mp2018-energies');
const MANIFEST = fileURLToPath(new URL('../../packages/prediction/model/model.json', import.meta.url));
const files = (): string[] =>
  readdirSync(STRUCTURES)
    .filter((name) => name.endsWith('.jsonl.gz'))
    .sort()
    .map((name) => join(STRUCTURES, name));

function script(name: string, ...words: readonly string[]): string {
  const path = fileURLToPath(new URL(`../generators/models/${name}`, import.meta.url));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', path, ...words, ...files()],
    { encoding: 'utf8', env: { ...process.env, ONLY_PRINT: '1' } },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

function readHulls(): Map<string, number> {
  const file = join(TRAINING_FOLDER, 'hulls.jsonl');
  if (!existsSync(file)) script('hulls.ts', TRAINING_FOLDER);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return new Map(
    lines.map((line) => JSON.parse(line) as { id: string; hull: number }).map(({ id, hull }) => [id, hull]),
  );
}

async function recompute(): Promise<boolean> {
  const model = openModelInNode();
  const { manifest } = model;
  checkCard(manifest);
  mkdirSync(TRAINING_FOLDER, { recursive: true });
  const heldOut = await readHeldOut(STRUCTURES, TABLES);
  const kept = join(TRAINING_FOLDER, `answers-${nameOfModel(manifest)}.jsonl`);
  const asked = askProgram(model, heldOut, readHulls(), kept);
  const of = (part: string): Told[] => asked.crystals.filter(({ known }) => known.part === part);
  const [test, further] = [of('test'), of('unused')];
  const { metrics } = manifest;
  const targets = (rows: readonly Told[], more: readonly Told[], stated: typeof metrics.composition) => ({
    formationEnergy: { ...stated.formationEnergy, ...judgeEnergy(rows, more) },
    bandGap: judgePbeGap(rows),
    bulkModulus: judgeModulus(rows, 'bulkModulus', stated.bulkModulus.halfWidthLog10),
    shearModulus: judgeModulus(rows, 'shearModulus', stated.shearModulus.halfWidthLog10),
    domain: { ...stated.domain, ...judgeDomain(rows) },
    stability: judgeHull(rows, stated.stability),
  });
  const design = JSON.parse(script('design.ts', TRAINING_FOLDER, 'test')) as ModelMetrics['design'];
  const found: ModelMetrics = {
    ...metrics,
    ...targets(test, further, { ...metrics, measuredBandGap: metrics.composition.measuredBandGap }),
    ...(design ? { design } : {}),
    composition: {
      ...targets(asked.formulas, asked.formulas, metrics.composition),
      measuredBandGap: judgeGap(asked.measured),
    },
  };
  if (process.argv.includes('--write')) {
    const stored = JSON.parse(readFileSync(MANIFEST, 'utf8')) as ModelManifest;
    const whole = { ...stored, metrics: found };
    writeFileSync(MANIFEST, JSON.stringify(whole));
    writeCard(whole);
  }
  const stated = cardTables(manifest).split('\n');
  const rows = cardTables({ ...manifest, metrics: found }).split('\n');
  rows.forEach((row, k) => {
    process.stdout.write(row === stated[k] ? `${row}\n` : `${row}\n  the card states:\n${stated[k]}\n`);
  });
  process.stdout.write(`\nPBE gaps by the gap that is predicted, eV:\n${gapBands(test).join('\n')}\n`);
  const different = rows.filter((row, k) => row !== stated[k]).length;
  process.stdout.write(
    `${JSON.stringify({ model: nameOfModel(manifest), crystals: asked.crystals.length, formulas: asked.formulas.length, rows: rows.length, different })}\n`,
  );
  return different === 0;
}

if (!hasSharedData)
  process.stdout.write('SKIPPED: the data that the model was made of are not beside this checkout\n');
else if (!(await recompute())) process.exitCode = 1;
