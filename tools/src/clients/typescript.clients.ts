/** The client for TypeScript against a running site: the source, and the package the site offers. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, SiteError } from '@unitcell/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inRepository } from '../../lib/paths.mjs';
import { mustRun } from '../../lib/run.mjs';
import { type SiteWithKey, startSiteWithKey } from './site-with-key.ts';

const INSTALL_MS = 300_000;

let started: SiteWithKey;
let site: ReturnType<typeof connect>;

const all = async <T>(rows: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const row of rows) found.push(row);
  return found;
};

describe('@unitcell/client', () => {
  beforeAll(async () => {
    started = await startSiteWithKey();
    site = connect({ url: started.site.url, key: started.key });
  });
  afterAll(() => started.site.stop());

  it('finds all pages of a filter, once each', async () => {
    const { total } = await site.materials.byElements('Ti-O-*').then(({ len }) => ({ total: len }));
    const rows = await all(site.materials.find('elements HAS ALL "Ti", "O"', { fields: ['struct_id'] }));
    expect(rows).toHaveLength(total);
    const every = await all(site.materials.find(undefined, { fields: ['struct_id'] }));
    expect(every.length).toBeGreaterThan(1000);
    expect(new Set(every.map(({ struct_id: id }) => id)).size).toBe(every.length);
    expect(await all(site.materials.find('', { limit: 3 }))).toHaveLength(3);
  });

  it('reads a material, its files and its pattern, and knows the pattern again', async () => {
    const { results } = await site.materials.byFormula('NaCl');
    const id = results[0]![0];
    const { lattice, formula } = await site.materials.detail(id);
    expect([formula, lattice.alpha]).toEqual(['NaCl', 90]);
    expect(await site.files.cif(id)).toContain('_symmetry_Int_Tables_number 225');
    const pattern = await site.patterns.calculated(id, { wavelength: 1.5406, crystalSize: 100 });
    const text = pattern.x.map((x, index) => `${x.toFixed(4)} ${pattern.y[index]!.toFixed(4)}`).join('\n');
    const { x, y } = await site.patterns.read('halite.xy', new Blob([text]));
    const match = await site.patterns.match(
      { xrd_data: { x, y }, elements: 'only: Na Cl', radiation: 1.5406 },
      { onProgress: ({ progress }) => expect(progress).toBeLessThanOrEqual(1), every: 20 },
    );
    expect(match.results[0]?.[2]).toBe('NaCl');
    const crystals = await site.files.download({ filter: 'elements HAS ONLY "Na", "Cl"', format: 'cif' });
    expect((await crystals.text()).match(/^data_/gm)?.length).toBeGreaterThan(1);
  });

  it('draws diagrams, windows, reactions, bands, submissions', async () => {
    expect((await site.phaseDiagrams.of('Ti-O')).components).toEqual(['Ti', 'O']);
    const { corners } = await site.phaseDiagrams.chemicalPotentials({ include: 'Ti-O', formula: 'TiO2' });
    expect(corners).toHaveLength(2);
    const { results } = await site.windows.byElements({ include: 'Li-O-*' });
    const [id, formula] = results[0]!;
    expect((await site.windows.of({ struct_id: id })).formula).toBe(formula);
    const { reactants } = await site.interfaces.react({ reactant1: 'Li2O', reactant2: 'TiO2' });
    expect(reactants.map((reactant) => reactant.formula)).toEqual(['Li2O', 'TiO2']);
    const bands = await site.tightBinding.bands({ grid_id: 'hcb', t2_ratio: 0 });
    expect(Math.max(...bands.plotly_data.flatMap(({ y }) => y))).toBeCloseTo(3, 9);
    expect((await site.run4u.dashboard()).quota.left).toBe(3);
  });

  it.each([
    ['a refusal', () => site.materials.byElements('Xx'), 200, 'search.unknown-elements'],
    ['nothing there', () => site.materials.detail(1_999_999_998), 404, 'material.not-found'],
    ['no file', () => site.files.cif(1_999_999_998), 404, 'material.not-found'],
    [
      'a refused file',
      () => site.files.download({ filter: 'band_gab > 1', format: 'csv' }),
      200,
      'filter.unknown-property',
    ],
  ])('throws for %s, with code and sentence', async (_, ask, status, code) => {
    const error = await ask().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(SiteError);
    expect(error).toMatchObject({ status, code, message: expect.stringMatching(/\w/) });
  });

  it('comes from the site into an empty folder, where its README is followed', async () => {
    const packed = `${started.site.url}/clients/unitcell-client.tgz`;
    expect((await fetch(packed, { method: 'HEAD' })).status).toBe(200);
    const folder = mkdtempSync(join(tmpdir(), 'unitcell-stranger-'));
    try {
      const wanted = [packed, 'typescript@5.9.3', '@types/node@20'];
      const args = ['install', '--no-audit', '--no-fund', '--prefix', folder, ...wanted];
      await mustRun("Installing from npm's registry", 'npm', args, { cwd: folder, timeoutMs: INSTALL_MS });
      const [, program = ''] =
        /```ts\n([\s\S]*?)```/.exec(readFileSync(inRepository('packages/client/README.md'), 'utf8')) ?? [];
      const misuse =
        '// @ts-expect-error a search takes a text\nvoid (() => site.materials.byElements(5));\n';
      writeFileSync(
        join(folder, 'program.mts'),
        program.replaceAll('https://materials.example.org', started.site.url) + misuse,
      );
      const compiler = join(folder, 'node_modules/typescript/bin/tsc');
      // Not skipLibCheck: the declarations themselves are looked at too.
      const options = ['--strict', '--module', 'nodenext', '--target', 'es2023'];
      await mustRun('tsc', process.execPath, [compiler, ...options, 'program.mts'], { cwd: folder });
      const printed = await mustRun('The README', process.execPath, ['program.mjs'], {
        cwd: folder,
        env: { ...process.env, UNITCELL_KEY: started.key },
      });
      const lines = printed.trim().split('\n');
      expect(lines.slice(-2)).toEqual([
        expect.stringMatching(/^TiO2 \d\.\d{3}$/),
        '200 search.unknown-elements',
      ]);
      const gaps = lines.slice(0, -2).map((line) => Number(line.split(' ').at(-1)));
      expect(gaps.length).toBeGreaterThan(1);
      expect(gaps).toEqual(gaps.toSorted((a, b) => b - a));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
