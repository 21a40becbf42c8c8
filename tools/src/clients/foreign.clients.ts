/**
 * The site as used by other programs: the official OPTIMADE validator and client, pymatgen, gemmi, spglib and
 * ASE.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inRepository } from '../../lib/paths.mjs';
import { withClient } from '../database.ts';
import type { TestSite } from '../test-site.ts';
import { pythonEnvironment } from './python-environment.ts';
import { startSiteWithKey } from './site-with-key.ts';

const python = await pythonEnvironment();

let site: TestSite;
let key: string;
const run = (program: string, args: readonly string[]) => python.run(program, args);

/** Extracts the JSON from a program's output with warnings and progress bars. */
const jsonIn = (printed: string) =>
  JSON.parse(printed.slice(printed.search(/^\{/m), printed.lastIndexOf('}') + 1));

/** A reproducible random sample of 300 materials: up to 43 of every crystal system. */
const sampleOfSystems = (): Promise<string[]> =>
  withClient(site.databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `SELECT struct_id::text AS id FROM (
         SELECT struct_id, row_number() OVER (PARTITION BY crystal_system, space_group_number BETWEEN 143 AND 167
           ORDER BY md5(struct_id::text)) AS place FROM material) AS ranked
       ORDER BY place, struct_id LIMIT 300`,
    );
    return rows.map(({ id }) => id);
  });

describe('third-party programs', () => {
  beforeAll(async () => {
    ({ site, key } = await startSiteWithKey({ OPTIMADE_ACCESS: 'public' }));
  });
  afterAll(() => site.stop());

  it('optimade-validator finds no failure, required or optional', async () => {
    const summary = jsonIn(
      await run('optimade-validator', [
        '-j',
        '--random-seed',
        '1',
        '--page_limit',
        '5',
        `${site.url}/optimade/v1`,
      ]),
    );
    expect(summary.optional_failure_messages).toEqual([]);
    expect(summary).toMatchObject({ failure_count: 0, internal_failure_count: 0, optional_failure_count: 0 });
    expect(summary.success_count).toBeGreaterThan(50);
  });

  it('optimade-get reads all structures of a system', async () => {
    const read = await run('optimade-get', [
      '--filter',
      'elements HAS ONLY "Ti","O"',
      `${site.url}/optimade`,
    ]);
    expect(read).toContain('O2Ti');
  });

  it('pymatgen, gemmi, spglib and ASE read the same crystals as the site from the downloaded files', async () => {
    const ids = await sampleOfSystems();
    expect(ids.length).toBeGreaterThanOrEqual(290);
    const script = inRepository('tools/src/clients/read-materials.py');
    const { materials, titanium_oxides: oxides } = jsonIn(
      await run('python', [script, site.url, key, ...ids]),
    );
    expect(materials).toHaveLength(ids.length);
    for (const { id, stated, sites, volume_error = 0, ...read } of materials) {
      const groups = Object.entries(read).filter(([name]) => name.endsWith('_group'));
      expect({ id, ...Object.fromEntries(groups) }).toEqual({
        id,
        ...Object.fromEntries(groups.map(([name]) => [name, stated])),
      });
      expect([id, read.gemmi_sites, read.pymatgen_cif_sites]).toEqual([id, sites, sites]);
      expect(volume_error).toBeLessThan(1e-6);
    }
    expect(oxides).toContainEqual([expect.any(String), 'TiO2', 'P4_2/mnm']);
  });
});
