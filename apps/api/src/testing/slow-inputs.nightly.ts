/**
 * A seeded search for inputs that take much time: of every call with input, of OPTIMADE, and of files that
 * operators import. The slowest input so far is kept and changed further, and the worst case of each target is
 * printed. No input may use 250 ms of processor time in the event loop, or 2 s in a thread.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { calls } from '@unitcell/contract';
import type { Call } from '@unitcell/contract/common';
import { examples } from '@unitcell/contract/examples';
import { writeCif } from '@unitcell/crystal';
import { createSeededDatabase } from '@unitcell/tools/test-database';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { rutile } from '../../../../packages/crystal/src/testing/rutile.ts';
import { draftsOfUnit } from '../catalogue/import/draft/drafts-of-unit.ts';
import { readSource } from '../catalogue/import/sources/read-source.ts';
import { standardise } from '../catalogue/standardise.ts';
import { uploadOf } from '../features/xrd/testing/synthetic-pattern.ts';
import { announceCatalogueChange } from '../infra/catalogue-cache.ts';
import { buildTestApp, type TestApp } from './build-test-app.ts';
import {
  GRAMMARS,
  grammarFor,
  PHONON_FILES,
  phononGrammar,
  type Schema,
  textOf,
  upTo,
  valueOf,
} from './heavy-inputs.ts';
import { longestEventLoopLag } from './event-loop-lag.ts';
import { zipOf } from './zip-of.ts';

const SEED = Number(process.env['SLOW_INPUTS_SEED'] ?? 36);
const RUNS = Number(process.env['SLOW_INPUTS_RUNS'] ?? 150);
/** Number of inputs before the first measurement, so that the parsing code is loaded and compiled. */
const WARM_UP = 30;
const EVENT_LOOP_MS = 250;
const THREAD_MS = 2000;
/** Largest number of characters of a text without another limit. */
const LONGEST = 300_000;

// ── The search ──

type Input = Readonly<Record<string, unknown>>;
interface Target {
  readonly first: Input;
  readonly inputs: fc.Arbitrary<Input>;
  readonly run: (input: Input) => Promise<string>;
}
interface Cost {
  readonly loopMs: number;
  readonly threadMs: number;
  readonly outcome: string;
}

const mainMs = (): number =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
const allMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
/** Server faults and calculations stopped by their limits count as worse than any measured time. */
const shareOfLimit = ({ loopMs, threadMs, outcome }: Cost): number =>
  Math.max(
    outcome.startsWith('5') ? Number.POSITIVE_INFINITY : 0,
    loopMs / EVENT_LOOP_MS,
    threadMs / THREAD_MS,
  );

async function costOf(target: Target, input: Input): Promise<Cost> {
  let outcome = '';
  const [main, all] = [mainMs(), allMs()];
  const loopMs = await longestEventLoopLag(async () => {
    outcome = await target.run(input);
  });
  return { loopMs, threadMs: Math.max(0, allMs() - all - (mainMs() - main)), outcome };
}

async function worstOf(name: string, target: Target): Promise<Cost> {
  let worst: Cost & { readonly input: Input } = { loopMs: 0, threadMs: 0, outcome: '', input: target.first };
  let runs = 0;
  const property = fc.asyncProperty(target.inputs, upTo(5), async (fresh, kept) => {
    const input = { ...(kept > 2 ? worst.input : kept > 0 ? target.first : {}), ...fresh };
    let cost = await costOf(target, input);
    if (++runs <= WARM_UP) return;
    // The smallest of several measurements counts, because garbage collection is not caused by the input. The
    // caches are cleared before each, so that a slow input is slow each time.
    for (let again = 0; again < 2 && shareOfLimit(cost) > Math.max(0.5, shareOfLimit(worst)); again++) {
      await announceCatalogueChange(test.database.db);
      await target.run(target.first);
      const other = await costOf(target, input);
      cost = shareOfLimit(other) < shareOfLimit(cost) ? other : cost;
    }
    if (shareOfLimit(cost) > shareOfLimit(worst)) worst = { ...cost, input };
  });
  await fc.assert(property, { seed: SEED, numRuns: WARM_UP + RUNS, endOnFailure: true });
  const input = JSON.stringify(worst.input);
  console.log(
    `${name}: event loop ${worst.loopMs.toFixed(0)} ms, threads ${worst.threadMs.toFixed(0)} ms, ${worst.outcome}, ${input.length} characters: ${input.slice(0, 300)}`,
  );
  return worst;
}

// ── The searched targets ──

let test: TestApp;
let member: string;
let administrator: string;
beforeAll(async () => {
  test = await buildTestApp({
    openDatabaseOf: createSeededDatabase,
    env: { OPTIMADE_ACCESS: 'public' },
    isWatched: false,
  });
  member = await test.signIn();
  administrator = await test.signInAdministrator();
});
afterAll(() => test.close());

const outcomeOf = ({ statusCode, body }: { statusCode: number; body: string }) =>
  `${statusCode} ${/"(?:code|detail)":"([^"]{1,80})/.exec(body.slice(0, 500))?.[1] ?? ''}`;

function callTarget({ body, path, access, name, request, maxBodyBytes = 65_536 }: Call): Target {
  const token = access === 'administrator' ? administrator : member;
  if (typeof body === 'object')
    return {
      first: { text: GRAMMARS.crystal.sound[0] },
      inputs: fc.record({ text: textOf(grammarFor(body.fileField), LONGEST) }),
      run: async (input) => {
        const text = String(input['text']);
        // The RawData XML of Bruker is a member of a ZIP archive.
        const content = text.includes('<RawData>')
          ? zipOf({ 'Experiment0/RawData0.xml': Buffer.from(text) })
          : text;
        const { payload, headers } = uploadOf(content, body.fileField, 'a.cif');
        const authorization = `token ${token}`;
        return outcomeOf(
          await test.app.inject({
            method: 'POST',
            url: path,
            payload,
            headers: { ...headers, authorization },
          }),
        );
      },
    };
  const schema = z.toJSONSchema(request, { io: 'input', unrepresentable: 'any' }) as Schema;
  return {
    first: (examples[name]?.request ?? {}) as Input,
    inputs: valueOf(schema, name, maxBodyBytes - 1000) as fc.Arbitrary<Input>,
    run: async (input) => outcomeOf(await test.post(path, input, { token })),
  };
}

const optimade: Target = {
  first: { filter: 'elements HAS "O"', page_limit: '1' },
  inputs: fc.record(
    { filter: textOf(GRAMMARS.filter, 10_000), sort: textOf(GRAMMARS.field, 500) },
    { requiredKeys: [] },
  ),
  run: async (input) => {
    const query = new URLSearchParams(input as Record<string, string>).toString();
    return outcomeOf(await test.get(`/optimade/v1/structures?${query}`));
  },
};

const named = (text: fc.Arbitrary<string>, ...names: readonly string[]) =>
  fc.record({ name: fc.constantFrom(...names), text });
/** Files that operators import, by what they hold. */
const FILES: Readonly<Record<string, fc.Arbitrary<Input>>> = {
  crystals: named(textOf(GRAMMARS.crystal, LONGEST), 'a.cif', 'a.cif.gz'),
  'finished runs': named(
    textOf(GRAMMARS.run, LONGEST),
    'a.jsonl',
    'a.json',
    'vasprun.xml',
    'OUTCAR',
    'data-file-schema.xml',
  ),
  ...Object.fromEntries(
    Object.entries(PHONON_FILES).map(([name, text]) => [
      name,
      named(textOf(phononGrammar(text), LONGEST), name),
    ]),
  ),
};

const imported = (inputs: fc.Arbitrary<Input>): Target => ({
  first: { name: 'a.cif', text: writeCif(rutile) },
  inputs,
  run: async (input) => {
    const { name = '', text = '' } = input as Record<string, string>;
    const folder = mkdtempSync(join(tmpdir(), 'unitcell-slow-'));
    // Forces and charges are read together with the cell file in the same folder.
    if (/^[A-Z_]+$/.test(name) && name in PHONON_FILES)
      for (const part of ['phonopy.yaml', 'FORCE_SETS'])
        writeFileSync(join(folder, part), PHONON_FILES[part] ?? '');
    writeFileSync(join(folder, name), name.endsWith('.gz') ? gzipSync(text) : text);
    try {
      for await (const unit of readSource(folder))
        for (const draft of draftsOfUnit(unit, { scale: 'PBE (own)', source: 'x' }).drafts)
          standardise(draft);
      return 'read';
    } catch (error) {
      return `refused: ${(error as Error).message.slice(0, 100)}`;
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
});

/** Calls that end the session or the account, or start work that is not the caller's. */
const LEFT_OUT = /^(logout|deleteAccount|operate(?!PreviewText|SaveText|People|Audit))/;
const searched = calls.filter(({ name, body }) => body !== 'none' && !LEFT_OUT.test(name));

describe('the slowest input found by a search', () => {
  it.each(searched.map((call) => [call.name, call] as const))(
    'of %s stays within the limits',
    async (name, call) => {
      const worst = await worstOf(name, callTarget(call));
      expect(worst.outcome).not.toMatch(/^5/);
      expect(worst.loopMs).toBeLessThan(EVENT_LOOP_MS);
      expect(worst.threadMs).toBeLessThan(THREAD_MS);
    },
  );

  it('for an OPTIMADE filter stays within the time limit of the event loop', async () => {
    expect((await worstOf('OPTIMADE', optimade)).loopMs).toBeLessThan(EVENT_LOOP_MS);
  });

  it.each(Object.entries(FILES))(
    'of imported %s stays within the limit of a thread',
    async (name, inputs) => {
      expect((await worstOf(`import of ${name}`, imported(inputs))).loopMs).toBeLessThan(THREAD_MS);
    },
  );
});
