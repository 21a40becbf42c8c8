/**
 * The types that openapi-typescript makes of the OpenAPI document, compiled against answers: those of a site with the seed to the
 * examples of the document and to wrong requests, the examples themselves, and what the tests of the api tier saw when it last ran
 * as a whole (`npm test`, `npm test -- api`) with the contract of today.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mustRun } from '../../lib/run.mjs';
import { answersFolder, keptFolder } from './kept-folder.ts';
import { type SiteWithKey, startSiteWithKey } from './site-with-key.ts';

const INSTALL_MS = 300_000;
/** The generator needs the compiler of before, which is why it is no dependency of the project. */
const PACKAGES = ['openapi-typescript@7.13.0', 'typescript@5.9.3'];
const FOLDER = keptFolder('types');
const program = (path: string) => join(FOLDER, 'node_modules', path);

if (!existsSync(program('openapi-typescript/bin/cli.js')))
  await mustRun(
    "Installing from npm's registry",
    'npm',
    ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', FOLDER, ...PACKAGES],
    { timeoutMs: INSTALL_MS },
  );

interface Answer {
  readonly operation: string;
  readonly status: number;
  readonly body: unknown;
}

/** A statement that compiles when the answer is what its type says. */
const statement = ({ operation, status, body }: Answer, index: number): string =>
  `export const a${index}: operations[${JSON.stringify(operation)}]['responses'][${status}]['content']['application/json'] = ${JSON.stringify(body)};`;

/** What tests of the api tier wrote down. */
function recorded(): Answer[] {
  const folder = answersFolder();
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as Answer);
}

let started: SiteWithKey;

interface Shown {
  readonly content?: Readonly<Record<string, { readonly example?: unknown }>>;
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: Shown;
  readonly responses: Readonly<Record<number, Shown>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const exampleIn = (shown: Shown | undefined): unknown => shown?.content?.['application/json']?.example;

/** What a site says to the example of a call, to a field nobody knows, and to nobody. */
async function answersOf(path: string, method: string, operation: Operation): Promise<Answer[]> {
  const takesJson = operation.requestBody?.content?.['application/json'] !== undefined;
  const ask = async (payload: unknown, key: string | null): Promise<Answer[]> => {
    const answer = await fetch(started.site.url + path.replace('{struct_id}', '142'), {
      method,
      headers: {
        ...(takesJson ? { 'content-type': 'application/json' } : {}),
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
      ...(takesJson ? { body: JSON.stringify(payload) } : {}),
    });
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    if (!isJson) await answer.body?.cancel();
    return isJson
      ? [{ operation: operation.operationId, status: answer.status, body: await answer.json() }]
      : [];
  };
  return [
    ...(await ask(exampleIn(operation.requestBody) ?? {}, started.key)),
    ...(await ask({ nobody_knows_this: 1 }, started.key)),
    ...(await ask({}, null)),
  ];
}

describe('generated types', () => {
  beforeAll(async () => {
    started = await startSiteWithKey();
  });
  afterAll(() => started.site.stop());

  it('compile against the answers', async () => {
    const types = join(FOLDER, 'types.ts');
    const document = `${started.site.url}/api/openapi.json`;
    await mustRun('openapi-typescript', process.execPath, [
      program('openapi-typescript/bin/cli.js'),
      document,
      '--output',
      types,
    ]);
    const { paths } = (await (await fetch(document)).json()) as Document;
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation,
      })),
    );
    const live: Answer[] = [];
    for (const { path, method, operation } of operations)
      live.push(...(await answersOf(path, method, operation)));
    const examples = operations.flatMap(({ operation: { operationId, responses } }) => {
      const body = exampleIn(responses[200]);
      return body === undefined ? [] : [{ operation: operationId, status: 200, body }];
    });
    expect(live.length).toBeGreaterThan(operations.length);
    const answers = [...examples, ...live, ...recorded()];
    const file = join(FOLDER, 'answers.ts');
    writeFileSync(
      file,
      [`import type { operations } from './types.ts';`, ...answers.map(statement), ''].join('\n'),
    );
    process.stdout.write(`${answers.length} answers\n`);
    await mustRun('tsc', process.execPath, [
      program('typescript/bin/tsc'),
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--allowImportingTsExtensions',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      file,
    ]);
  });
});
