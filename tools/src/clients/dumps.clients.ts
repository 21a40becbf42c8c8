/** The dumps of a release as read by pyarrow, pandas and the official OPTIMADE models. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inRepository } from '../../lib/paths.mjs';
import { pythonEnvironment } from './python-environment.ts';
import { type SiteWithKey, startSiteWithKey } from './site-with-key.ts';

const python = await pythonEnvironment();

let started: SiteWithKey;

describe('dumps', () => {
  beforeAll(async () => {
    started = await startSiteWithKey();
  });
  afterAll(() => started.site.stop());

  it('contain what the site answers', async () => {
    expect(await started.unitcell('release', 'publish')).toMatch(/release \d+, .* materials, 7 files/);
    const printed = await python.run('python', [inRepository('tools/src/clients/read-dumps.py')], {
      env: { UNITCELL_URL: started.site.url, UNITCELL_KEY: started.key },
    });
    const read = JSON.parse(printed.slice(printed.search(/^\{/m)));
    expect(read.materials).toBeGreaterThan(1000);
    expect(read).toMatchObject({
      parquet_rows: read.materials,
      json_rows: read.materials,
      optimade_entries: read.materials,
      different: [],
      hulls_differ: 0,
      windows_differ: 0,
      without_licence: 0,
      band_gap_unit: 'eV',
    });
  });
});
