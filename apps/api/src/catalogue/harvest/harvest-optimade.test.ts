/** Harvests structures from our own OPTIMADE provider and from a misbehaving provider. */
import { mkdtemp, readFile, rm, truncate } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { element, rockSalt, rutile, storeMaterials } from '../../testing/material-factory.ts';
import { draftsOfUnit } from '../import/draft/drafts-of-unit.ts';
import { harvestOptimade, structuresAddress } from './harvest-optimade.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unitcell-harvest-'));
});
afterAll(() => rm(folder, { recursive: true }));

let runs = 0;
const options = () => ({ folder: join(folder, String(runs++)), delayMs: 0, attempts: 3 });
const idsIn = async (path: string): Promise<string[]> =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { id: string }).id);

/** The links of our provider contain its address, so the port must be known beforehand. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('harvest from our own provider', () => {
  let test: TestApp;
  let base: string;
  beforeAll(async () => {
    const port = await freePort();
    test = await buildTestApp({
      env: { OPTIMADE_ACCESS: 'public', PUBLIC_URL: `http://127.0.0.1:${port}` },
    });
    await storeMaterials(test.database, [
      element('Mg', 3.2, { struct_id: 1 }),
      rockSalt('Mg', 'O', 4.212, { struct_id: 2 }),
      rockSalt('Na', 'Cl', 5.64, { struct_id: 3 }),
      rutile('Ti', 4.594, 2.959, { struct_id: 4 }),
    ]);
    base = await test.app.listen({ port, host: '127.0.0.1' });
  });
  afterAll(() => test.close());

  it('writes pages as lines that an import accepts', async () => {
    const report = await harvestOptimade(`${base}/optimade/v1/structures?page_limit=2`, options());
    expect(report).toMatchObject({ rows: 4, pages: 2, isComplete: true, remarks: [] });
    const lines = (await readFile(report.path, 'utf8')).trim().split('\n');
    const formulas = lines.map((text) => {
      const { drafts } = draftsOfUnit({ label: '', format: 'json', text });
      return drafts[0]?.structure.sites.length;
    });
    expect(formulas).toEqual([1, 2, 2, 6]);
  });

  it('an interrupted harvest resumes where it stopped', async () => {
    const place = options();
    const address = `${base}/optimade/v1/structures?page_limit=1`;
    const first = await harvestOptimade(address, { ...place, maxRows: 2 });
    expect(first).toMatchObject({ rows: 2, isComplete: false });
    const second = await harvestOptimade(address, place);
    expect(second).toMatchObject({ rows: 4, pages: 4, isComplete: true });
    expect(await idsIn(second.path)).toEqual(['1', '2', '3', '4']);
  });
});

describe('harvest from a provider', () => {
  let server: Server;
  afterEach(() => new Promise((resolve) => server.close(resolve)));
  const serve = async (
    answer: (request: IncomingMessage, response: ServerResponse) => void,
  ): Promise<string> => {
    server = createServer(answer).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const pageOf = (ids: readonly number[], next: string | null, meta: object = {}): string =>
    JSON.stringify({
      data: ids.map((id) => ({ id: `x-${id}`, type: 'structures', attributes: {} })),
      links: { next },
      meta,
    });
  const offset = (request: IncomingMessage): number =>
    Number(new URL(request.url ?? '/', 'http://127.0.0.1').searchParams.get('page_offset') ?? 0);

  it('a harvest stops when an endless provider has sent many more structures than it announced', async () => {
    const base = await serve((request, response) => {
      const at = offset(request);
      const ids = Array.from({ length: 500 }, (_, i) => at + i);
      response.end(pageOf(ids, `/v1/structures?page_offset=${at + 500}`, { data_available: 10 }));
    });
    await expect(harvestOptimade(base, options())).rejects.toThrow(
      /announced 10 structures and returned 1500 with no end/,
    );
  });

  it('a harvest stops at twice the first announced number even if the provider increases it on each page', async () => {
    const base = await serve((request, response) => {
      const at = offset(request);
      const ids = Array.from({ length: 500 }, (_, i) => at + i);
      response.end(pageOf(ids, `/v1/structures?page_offset=${at + 500}`, { data_available: at + 10 }));
    });
    await expect(harvestOptimade(base, options())).rejects.toThrow(
      /announced 10 structures and returned 1500/,
    );
  });

  it('redirects to another address are not followed', async () => {
    const asked: string[] = [];
    const base = await serve((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(302, { location: '/latest/meta-data/' }).end();
    });
    await expect(harvestOptimade(base, options())).rejects.toThrow(/redirects to \/latest\/meta-data\//);
    expect(asked).toHaveLength(1);
  });

  it('a harvest stops when the next links form a circle', async () => {
    const base = await serve(
      (_request, response) => void response.end(pageOf([1], '/v1/structures?page_offset=1')),
    );
    await expect(harvestOptimade(base, options())).rejects.toThrow(/form a loop/);
  });

  it('links to another server are not followed', async () => {
    const base = await serve(
      (_request, response) => void response.end(pageOf([1], 'http://127.0.0.2:9/v1/structures')),
    );
    await expect(harvestOptimade(base, options())).rejects.toThrow(/another server/);
  });

  it('a wrong count is reported and the list is read to its end', async () => {
    const base = await serve(
      (_request, response) => void response.end(pageOf([1, 2], null, { data_returned: 7 })),
    );
    expect(await harvestOptimade(base, options())).toMatchObject({
      rows: 2,
      isComplete: true,
      remarks: ['the provider announced 7 structures and returned 2'],
    });
  });

  it('the harvester waits as long as the provider states and retries truncated pages and invalid JSON', async () => {
    const said: string[] = [];
    const base = await serve((_request, response) => {
      said.push('asked');
      if (said.length === 1) response.writeHead(429, { 'retry-after': '0' }).end();
      else if (said.length === 2) response.end('{"data": [{"id": "x-1", ');
      else response.end(pageOf([1], null));
    });
    expect(await harvestOptimade(base, options())).toMatchObject({ rows: 1, isComplete: true });
    expect(said).toHaveLength(3);
  });

  it('pages read before a permanent failure are kept, and the next harvest continues after them', async () => {
    let isBroken = true;
    const base = await serve((request, response) => {
      const at = offset(request);
      if (at === 2 && isBroken) response.writeHead(500).end();
      else response.end(pageOf([at, at + 1], at < 4 ? `/v1/structures?page_offset=${at + 2}` : null));
    });
    const place = options();
    await expect(harvestOptimade(base, place)).rejects.toThrow(
      /answered 500, 3 times.*run the same command again/,
    );
    isBroken = false;
    const report = await harvestOptimade(base, place);
    expect(await idsIn(report.path)).toEqual(['x-0', 'x-1', 'x-2', 'x-3', 'x-4', 'x-5']);
  });

  it('a harvest explains how to start again if its file was deleted or shortened', async () => {
    const base = await serve((_request, response) => void response.end(pageOf([1, 2], null)));
    const place = options();
    const { path } = await harvestOptimade(base, place);
    await truncate(path, 3);
    const expected = /was deleted or changed since the last harvest: delete \S+\.progress\.json too/;
    await expect(harvestOptimade(base, place)).rejects.toThrow(expected);
    await rm(path);
    await expect(harvestOptimade(base, place)).rejects.toThrow(expected);
    await rm(path.replace(/jsonl$/, 'progress.json'));
    expect(await harvestOptimade(base, place)).toMatchObject({ rows: 2 });
  });

  it('a page without any data times out', async () => {
    const base = await serve(() => undefined);
    await expect(harvestOptimade(base, { ...options(), pageTimeoutMs: 50, attempts: 2 })).rejects.toThrow(
      /2 times/,
    );
    server.closeAllConnections();
  });

  it('an endless page is cut off', async () => {
    const base = await serve((_request, response) => {
      response.write('{"data": [');
      const more = (): void => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    await expect(harvestOptimade(base, { ...options(), maxPageBytes: 10 ** 6 })).rejects.toThrow(
      /more than 1000000 bytes/,
    );
    server.closeAllConnections();
  });
});

it('the address of a provider may include or omit version and list', () => {
  for (const typed of [
    'https://example.org/optimade',
    'https://example.org/optimade/v1/',
    'https://example.org/optimade/v1/structures',
  ])
    expect(structuresAddress(typed)).toBe('https://example.org/optimade/v1/structures');
  expect(() => structuresAddress('example')).toThrow(/not an address/);
  expect(() => structuresAddress('file:///etc/passwd')).toThrow(/not an address/);
});
