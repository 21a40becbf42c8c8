/**
 * The Python client against a running site, and the dumps of its release as read by pyarrow, pandas and the
 * official OPTIMADE models. Both run in a separate Python environment.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inRepository } from '../../lib/paths.mjs';
import { pythonEnvironment } from './python-environment.ts';
import { type SiteWithKey, startSiteWithKey } from './site-with-key.ts';

const python = await pythonEnvironment();

const cwd = inRepository('clients/python');
let started: SiteWithKey;
beforeAll(async () => {
  started = await startSiteWithKey();
});
afterAll(() => started.site.stop());

describe('clients/python', () => {
  const { run } = python;

  it('makes calls of every group on a running site', async () => {
    const env = { UNITCELL_URL: started.site.url, UNITCELL_KEY: started.key };
    const printed = await run('pytest', ['-q', '-p', 'no:cacheprovider', 'tests'], { cwd, env });
    expect(printed).toMatch(/^\d+ passed/m);
  });

  it('runs the examples of its README', async () => {
    const [, program = ''] =
      /```python\n([\s\S]*?)```/.exec(readFileSync(join(cwd, 'README.md'), 'utf8')) ?? [];
    const address = /Client\("[^)]*\)/;
    expect(program).toMatch(address);
    const print =
      'print(found.frame().attrs["units"]["band_gap"], material.crystal("primitive").to_ase().get_volume() > 0)';
    const env = { UNITCELL_URL: started.site.url, UNITCELL_KEY: started.key };
    const printed = await run('python', ['-c', `${program.replace(address, 'Client()')}\n${print}`], { env });
    expect(printed).toMatch(/^eV True$/m);
  });

  it('passes ruff and mypy', async () => {
    expect(await run('ruff', ['check', '--no-cache', 'src', 'tests'], { cwd })).toContain(
      'All checks passed',
    );
    await run('ruff', ['format', '--no-cache', '--check', 'src', 'tests'], { cwd });
    await run('mypy', ['--cache-dir', '/tmp/unitcell-mypy'], { cwd });
  });
});

describe('dumps', () => {
  it('contain the same data as the answers of the site', async () => {
    expect(await started.unitcell('release', 'publish')).toMatch(/release \d+, .* materials, 11 files/);
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
