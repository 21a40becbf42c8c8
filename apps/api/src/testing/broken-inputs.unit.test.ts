/** Inputs that once crashed a parser or made it hang. Each must give the known result in time. */
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fromPymatgenDict } from '@unitcell/crystal';
import { ScienceError } from '@unitcell/errors';
import { brillouinZone, kPath } from '@unitcell/symmetry';
import { expect, it } from 'vitest';
import { draftsOfUnit, type SourceUnit } from '../catalogue/import/draft/drafts-of-unit.ts';
import { RefusedUnit } from '../catalogue/import/draft/refused-unit.ts';
import { UnreadableSource } from '../catalogue/import/sources/unpack.ts';
import { runText } from '../catalogue/import/sources/read-source.ts';
import { standardise } from '../catalogue/standardise.ts';
import { shippedModel } from '../domain/prediction/models.ts';
import { predictSubject } from '../domain/prediction/prediction.thread.ts';
import { boundedText, canonicalFormula } from '../domain/query/query-text.ts';
import { checkStructure, readUpload } from '../features/run4u/run4u.thread.ts';
import { AppError } from '../messages/app-error.ts';

const inputs: { name: string; target: string; outcome: string; input: unknown }[] = JSON.parse(
  readFileSync(new URL('./fixtures/broken-inputs.json', import.meta.url), 'utf8'),
);
const REFUSALS = [AppError, RefusedUnit, ScienceError, UnreadableSource];

function draw(structure: unknown): void {
  checkStructure(structure);
  brillouinZone(kPath(fromPymatgenDict(structure)).reciprocalLattice);
}
const upload = (name: string) => (text: unknown) =>
  draw(readUpload({ text: String(text), name })?.shown.structure);
function imported(unit: SourceUnit): void {
  for (const draft of draftsOfUnit(unit, { scale: 'PBE (own)', source: 'test' }).drafts) standardise(draft);
}
const document = (input: unknown): void =>
  imported({ label: 'x.jsonl:1', format: 'json', text: JSON.stringify(input) });
const run = (label: string) => async (text: unknown) =>
  imported({ label, format: 'run', text: await runText(Readable.from([String(text)])) });

const READERS: Readonly<Record<string, (input: unknown) => unknown>> = {
  cif: upload('x.cif'),
  poscar: upload('POSCAR'),
  'structure-json': draw,
  formula: (text) => canonicalFormula(boundedText(String(text))),
  'published-document': document,
  'pymatgen-electrons': document,
  outcar: run('OUTCAR'),
  vasprun: run('vasprun.xml'),
  prediction: (text) =>
    predictSubject({ model: shippedModel(), subject: { text: String(text), name: 'x' }, competitors: null }),
};

it.each(inputs.filter(({ target }) => target in READERS))(
  '$name is $outcome',
  async ({ target, outcome, input }) => {
    const ended = await Promise.resolve()
      .then(() => READERS[target]?.(input))
      .then(
        () => 'accepted',
        (error: unknown) => (REFUSALS.some((kind) => error instanceof kind) ? 'refused' : error),
      );
    expect(ended).toBe(outcome);
  },
);
