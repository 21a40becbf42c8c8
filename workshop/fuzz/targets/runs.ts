/** Outputs of first-principles programs: finished runs that are imported, and the outputs of our own runs. */
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import {
  abinit,
  type Calculator,
  CALCULATION_STEPS,
  readPotcarHead,
  type StepRequest,
  vasp,
} from '@unitcell/calculators';
import { orderedSite, writePoscar } from '@unitcell/crystal';
import fc from 'fast-check';
import { draftsOfUnit } from '../../../apps/api/src/catalogue/import/draft/drafts-of-unit.ts';
import { runText } from '../../../apps/api/src/catalogue/import/sources/read-source.ts';
import { standardise } from '../../../apps/api/src/catalogue/standardise.ts';
import { ESPRESSO, OUTCAR, VASPRUN } from '../../../packages/calculators/src/testing/finished-runs.ts';
import { damagedText } from '../damage.ts';
import { CORPUS, settledLater, target, type Target, textTarget } from '../target.ts';

const fixture = (name: string): string =>
  readFileSync(new URL(`../../../packages/calculators/src/fixtures/${name}`, import.meta.url), 'utf8');

const WHOLE = 200_000;

const piecesOf = (text: string): Readable =>
  Readable.from([text.slice(0, text.length / 3), text.slice(text.length / 3)]);

const finished = (name: string, sources: readonly string[]): Target =>
  target(damagedText(sources, WHOLE), (text) =>
    settledLater(async () => {
      const unit = { label: name, format: 'run', text: await runText(piecesOf(text)) } as const;
      for (const draft of draftsOfUnit(unit, { scale: 'PBE (own)' }).drafts) standardise(draft);
    }),
  );

const SILICON: StepRequest['structure'] = {
  latticeVectors: [
    [0, 2.74, 2.74],
    [2.74, 0, 2.74],
    [2.74, 2.74, 0],
  ],
  sites: [orderedSite('Si', [0, 0, 0]), orderedSite('Si', [0.25, 0.25, 0.25])],
};
const RELAXED = `${OUTCAR} reached required accuracy - stopping structural energy minimisation\n`;

/** Files of a run of each engine; one file is selected for damage. */
const RUNS: readonly { readonly engine: Calculator; readonly files: Readonly<Record<string, string>> }[] = [
  {
    engine: vasp,
    files: {
      OUTCAR: RELAXED,
      EIGENVAL: CORPUS.eigenval,
      DOSCAR: CORPUS.doscar,
      CONTCAR: writePoscar(SILICON),
      log: 'running on 1 cores\n',
    },
  },
  {
    engine: abinit,
    files: {
      'run.abo': fixture('si-relax/run.abo'),
      runo_EIG: fixture('si-static/runo_EIG'),
      runo_DOS_TOTAL: fixture('si-dos/runo_DOS_TOTAL'),
      runo_DOS_AT0001: fixture('si-dos/runo_DOS_AT0001').slice(0, 20_000),
      log: '--- !WARNING\nsrc_file: m_pawpsp.F90\nmessage: |\n  x\n...\n',
    },
  },
  {
    engine: abinit,
    files: { 'run.abo': fixture('fe-static/run.abo'), runo_EIG: fixture('fe-static/runo_EIG') },
  },
];

/** A step of a run with one damaged file; the others are intact. */
const engineOutput = fc.record({
  damaged: fc.oneof(
    ...RUNS.flatMap(({ files }, run) =>
      Object.entries(files).map(([name, text]) =>
        damagedText([text], WHOLE).map((read) => ({ run, files: { [name]: read } })),
      ),
    ),
  ),
  step: fc.constantFrom(...CALCULATION_STEPS),
  hasSpin: fc.boolean(),
});

export const RUN_TARGETS: Readonly<Record<string, Target>> = {
  vasprun: finished('vasprun.xml', [VASPRUN]),
  outcar: finished('OUTCAR', [OUTCAR]),
  'abinit-run': finished('run.abo', [fixture('si-static/run.abo'), fixture('fe-relax/run.abo')]),
  'espresso-run': finished('data-file-schema.xml', [ESPRESSO]),
  'engine-output': target(engineOutput, ({ damaged, step, hasSpin }) => {
    const { engine, files } = RUNS[damaged.run];
    const request: StepRequest = {
      step,
      title: 'fuzz',
      structure: SILICON,
      preset: 'ci',
      moments: hasSpin ? [1, 1] : null,
      isMetal: false,
      dataSets: {},
      kPoints: [
        [0, 0, 0],
        [0.5, 0, 0],
      ],
      fermiEnergy: 1,
      workarounds: [],
    };
    const output = { exitCode: 0, signal: null, files: { ...files, ...damaged.files } };
    const read = engine.read(request, output);
    engine.resume?.(request, output.files);
    JSON.stringify(read);
    return read.kind === 'done' ? 'accepted' : 'refused';
  }),
  potcar: textTarget(
    ['  PAW_PBE Si 05Jan2001\n   4.00000000000000\n parameters from PSCTR are:\n'],
    readPotcarHead,
  ),
};
