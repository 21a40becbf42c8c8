/** A site with the seed data, and an API key of a collaborator. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiDist, inRepository } from '../../lib/paths.mjs';
import { mustRun } from '../../lib/run.mjs';
import { startTestSite, type TestSite } from '../test-site.ts';

export interface SiteWithKey {
  readonly site: TestSite;
  readonly key: string;
  unitcell(...words: readonly string[]): Promise<string>;
}

export async function startSiteWithKey(env: NodeJS.ProcessEnv = {}): Promise<SiteWithKey> {
  const home = mkdtempSync(join(tmpdir(), 'unitcell-clients-'));
  const site = await startTestSite({ env: { ...env, UNITCELL_HOME: home } });
  const settings = {
    ...process.env,
    DATABASE_URL: site.databaseUrl,
    JWT_SECRET: randomBytes(32).toString('hex'),
    PUBLIC_URL: site.url,
    UNITCELL_HOME: home,
    ...env,
  };
  const unitcell = (...words: readonly string[]) =>
    mustRun(words.join(' '), process.execPath, [join(apiDist, 'cli.js'), ...words], {
      env: settings,
      cwd: inRepository(),
    });
  const made = await unitcell('api-key', 'create', '--for', 'clients', '--scopes', 'all', '--rate', '10000');
  const stop = async () => {
    await site.stop();
    rmSync(home, { recursive: true, force: true });
  };
  return { site: { ...site, stop }, key: /uck_[\w-]+/.exec(made)?.[0] ?? '', unitcell };
}
