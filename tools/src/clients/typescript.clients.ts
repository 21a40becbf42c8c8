/** The TypeScript client against a running site: the source, and the package served by the site. */
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

  it('iterates over all pages of a filter, each once', async () => {
    const { total } = await site.materials.byElements('Ti-O-*').then(({ len }) => ({ total: len }));
    const rows = await all(site.materials.find('elements HAS ALL "Ti", "O"', { fields: ['struct_id'] }));
    expect(rows).toHaveLength(total);
    expect(await site.materials.count('elements HAS ALL "Ti", "O"')).toBe(total);
    const every = await all(site.materials.find(undefined, { fields: ['struct_id'] }));
    expect(every.length).toBeGreaterThan(1000);
    expect(new Set(every.map(({ struct_id: id }) => id)).size).toBe(every.length);
    expect(await all(site.materials.find('', { limit: 3 }))).toHaveLength(3);
  });

  it('fetches every column that filters accept, with its type', async () => {
    const stiffness = '[bulk_modulus / density]';
    const fields = [
      'formula',
      'band_gap',
      'predicted_band_gap',
      'reduction_onset_li',
      'prototype',
      stiffness,
    ] as const;
    const rows = await all(site.materials.find(`${stiffness} > 40 AND reduction_onset_li < 3`, { fields }));
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      const gap: number | null = row.predicted_band_gap;
      const onset: number | null = row.reduction_onset_li;
      const ratio: number | null = row[stiffness];
      // The worker predicts in the background, so some predictions may be missing.
      expect(['number', 'object']).toContain(typeof gap);
      expect([typeof onset, typeof ratio]).toEqual(['number', 'number']);
      expect(row.prototype).toMatch(/^\d+:/);
      // @ts-expect-error the field was not requested
      expect(row.density).toBeUndefined();
    }
    const [row] = await all(site.materials.find('formula_reduced = "TiO2"', { limit: 1 }));
    expect(row).toMatchObject({ formula: 'TiO2', energy_above_hull: 0 });
    // @ts-expect-error there is no such column
    expect(row?.nonsense).toBeUndefined();
    for await (const page of site.materials.pages('elements HAS "Ti"', { fields: ['density'], limit: 3 })) {
      const densities: readonly number[] = page.rows.map(({ density }) => density);
      expect(densities).toHaveLength(3);
      expect([typeof page.scale, page.release > 0, page.total > 3]).toEqual(['string', true, true]);
    }
  });

  it('predicts crystals and formulas, and searches for new compounds', async () => {
    const prediction = await site.predictions.of(await site.files.cif(142));
    expect(prediction).toMatchObject({ formula: 'TiO2', nsites: 6, hull: { scale: expect.any(String) } });
    expect(prediction.band_gap.low).toBeLessThan(prediction.band_gap.high);
    expect((await site.predictions.ofMaterial(142)).model).toBe((await site.predictions.model()).model);
    expect((await site.predictions.ofFormula('LiFePO4')).nsites).toBeNull();
    const { id } = await site.design.start(['Na', 'K', 'Cl', 'Br'], 2, {
      candidates: 20,
      include_known: true,
    });
    expect((await site.design.wait(id, { every: 200 })).status).toBe('finished');
    const [best] = await site.design.candidates(id);
    expect((await site.design.structure(id, best!.rank)).formula).toBe(best!.formula);
  });

  it('creates collections and saved searches', async () => {
    const kept = await site.collections.create('oxides', [142, 143], { note: 'for the paper' });
    expect(kept).toMatchObject({ count: 2, note: 'for the paper', struct_ids: [142, 143] });
    expect((await site.collections.remove(kept.id, [142])).struct_ids).toEqual([143]);
    const key = await site.collections.share(kept.id);
    expect((await site.collections.shared(key!)).id).toBe(kept.id);
    await site.collections.delete(kept.id);
    const search = await site.collections.saveSearch('new oxides', 'elements HAS "O"');
    expect(await site.collections.searches()).toContainEqual(search);
    await site.collections.deleteSearch(search.id);
  });

  it('reads dumps and checks their SHA-256', async () => {
    await expect(site.dumps.latest()).rejects.toMatchObject({ code: 'client.no-release' });
    await started.unitcell('release', 'publish');
    const { files, materials, release } = await site.dumps.latest();
    expect([materials, release]).toEqual([
      await site.materials.count(),
      (await site.phaseDiagrams.of('Ti-O')).release?.id,
    ]);
    const windows = files.find(({ name }) => name === 'windows.parquet')!;
    expect((await site.dumps.read(windows)).byteLength).toBe(windows.bytes);
    const other = { ...windows, sha256: '0'.repeat(64) };
    await expect(site.dumps.read(other)).rejects.toMatchObject({ code: 'client.checksum' });
    const streamed = await site.dumps.download(windows);
    expect((await streamed.arrayBuffer()).byteLength).toBe(windows.bytes);
  });

  it('reads a material, its files and its pattern, and matches the pattern to it', async () => {
    const { results } = await site.materials.byFormula('NaCl');
    const id = results[0]![0];
    const { lattice, formula } = await site.materials.detail(id);
    expect([formula, lattice.alpha]).toEqual(['NaCl', 90]);
    expect(await site.files.cif(id)).toContain('_symmetry_Int_Tables_number 225');
    const pattern = await site.patterns.calculated(id, { wavelength: 1.5406, crystalSize: 100 });
    const text = pattern.x.map((x, index) => `${x.toFixed(4)} ${pattern.y[index]!.toFixed(4)}`).join('\n');
    const { x, y } = await site.patterns.read('halite.xy', new Blob([text]));
    const match = await site.patterns.match(
      { x, y },
      {
        elements: 'only: Na Cl',
        radiation: 'Cu Ka1',
        onProgress: ({ progress }) => expect(progress).toBeLessThanOrEqual(1),
        every: 20,
      },
    );
    expect(match.hits[0]).toMatchObject({ formula: 'NaCl', energy_above_hull: 0, confidence: 'confident' });
    const crystals = await site.files.download('elements HAS ONLY "Na", "Cl"', 'cif');
    expect((await crystals.text()).match(/^data_/gm)?.length).toBeGreaterThan(1);
  });

  it('fetches diagrams, windows, reactions, bands and submissions', async () => {
    const { components, phases, scale } = await site.phaseDiagrams.of('Ti-O');
    expect(components).toEqual(['Ti', 'O']);
    expect(phases[0]).toMatchObject({ is_stable: true, energy_above_hull: 0, decomposition: '' });
    expect(phases.at(-1)).toMatchObject({ is_stable: false, decomposition: expect.stringMatching(/\w/) });
    const { corners } = await site.phaseDiagrams.chemicalPotentials('Ti-O', 'TiO2');
    expect(corners).toHaveLength(2);
    const placed = await site.phaseDiagrams.place('Ti-O', 'TiO2', -3.4);
    expect(placed).toMatchObject({ formula: 'TiO2', scale, formation_energy: -3.4 });
    const [row] = await site.windows.byElements('Li-O-*', { energyAboveHull: [0, 0.1], bandGap: [1, 9] });
    const window = await site.windows.of(row!.struct_id, 'Li');
    expect([window.formula, window.energy_above_hull, window.scale]).toEqual([
      row!.formula,
      row!.energy_above_hull,
      scale,
    ]);
    const { band_gap } = (
      await all(site.materials.find(`struct_id = ${row!.struct_id}`, { fields: ['band_gap'] }))
    )[0]!;
    expect(row!.band_gap).toBe(band_gap);
    const { reactants } = await site.interfaces.react('Li2O', 'TiO2');
    expect(reactants.map((reactant) => reactant.formula)).toEqual(['Li2O', 'TiO2']);
    const coatings = await site.coatings.find('LiCoO2', 'Li3PS4', { max_energy_above_hull: 0, limit: 5 });
    expect(coatings.direct.energy).toBeLessThan(coatings.results[0]!.worst);
    const matrix = await site.coatings.matrix(['TiO2', 'LiCoO2'], { against: 'Li2O', potential: 1 });
    expect(matrix.cells).toHaveLength(2);
    const lime = await site.stability.reaction('CaCO3', 'CaO + CO2', { temperature: 1164 });
    expect(lime.balances[0]?.measured?.at?.log_k).toBeCloseTo(0, 1);
    expect((await site.stability.ellingham('Fe Al C')).gas).toBe('O2');
    expect((await site.stability.pourbaix('Fe', { energies: 'measured' })).regions.length).toBeGreaterThan(5);
    const bands = await site.tightBinding.bands('hcb', { t2_ratio: 0 });
    expect(Math.max(...bands.plotly_data.flatMap(({ y }) => y))).toBeCloseTo(3, 9);
    expect((await site.run4u.dashboard()).quota.left).toBe(3);
  });

  it.each([
    ['a refusal', () => site.materials.byElements('Xx'), 200, 'search.unknown-elements'],
    ['nothing there', () => site.materials.detail(1_999_999_998), 404, 'material.not-found'],
    ['no key', () => connect({ url: started.site.url }).materials.count(), 401, 'auth.missing'],
    ['no file', () => site.files.cif(1_999_999_998), 404, 'material.not-found'],
    ['a refused file', () => site.files.download('band_gab > 1', 'csv'), 200, 'filter.unknown-property'],
  ])('throws an error with code and message for %s', async (_, ask, status, code) => {
    const error = await ask().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(SiteError);
    expect(error).toMatchObject({ status, code, message: expect.stringMatching(/\w/) });
  });

  it('installs from the site into an empty folder, where the README examples run', async () => {
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
        '// @ts-expect-error a search takes a text\nvoid (() => site.materials.byElements(5));\n' +
        "// @ts-expect-error there is no such column\nvoid (() => site.materials.find('', { fields: ['bandgap'] }));\n";
      writeFileSync(
        join(folder, 'program.mts'),
        program.replaceAll('https://materials.example.org', started.site.url) + misuse,
      );
      const compiler = join(folder, 'node_modules/typescript/bin/tsc');
      // Without skipLibCheck, so that the declarations themselves are checked too.
      const options = ['--strict', '--module', 'nodenext', '--target', 'es2023'];
      await mustRun('tsc', process.execPath, [compiler, ...options, 'program.mts'], { cwd: folder });
      const printed = await mustRun('The README', process.execPath, ['program.mjs'], {
        cwd: folder,
        env: { ...process.env, UNITCELL_KEY: started.key },
      });
      const lines = printed.trim().split('\n');
      expect(lines.slice(-3)).toEqual([
        expect.stringMatching(/^TiO2 \d\.\d{3}$/),
        expect.stringMatching(/^[\d.]+ eV, between [\d.]+ and [\d.]+$/),
        '200 search.unknown-elements',
      ]);
      const gaps = lines.slice(0, -3).map((line) => Number(line.split(' ').at(-1)));
      expect(gaps.length).toBeGreaterThan(1);
      expect(gaps).toEqual(gaps.toSorted((a, b) => b - a));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
