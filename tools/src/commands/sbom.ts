/**
 * `npm run -s sbom [-- --all] [FILE]`: the software bill of materials (CycloneDX 1.6, JSON) of what a site runs on: api, worker
 * and web client; with `--all` also of what it is built and tested with. On standard output unless a file is named.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pnpmCommand } from '../../lib/install.mjs';
import { inRepository, root } from '../../lib/paths.mjs';
import { mustRun } from '../../lib/run.mjs';
import { billOfMaterials } from '../bill-of-materials.ts';
import { lockedPackages, readLockfile } from '../locked-packages.ts';

/** Licences as the installed packages state them, by `name@version`. */
async function statedLicences(): Promise<ReadonlyMap<string, string>> {
  const [command = 'pnpm', ...prefix] = await pnpmCommand();
  const output = await mustRun('Reading the licences', command, [...prefix, 'licenses', 'list', '--json'], {
    cwd: root,
  });
  const json = output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1);
  const byLicence = JSON.parse(json) as Record<string, { name: string; versions: string[] }[]>;
  return new Map(
    Object.entries(byLicence).flatMap(([licence, packages]) =>
      packages.flatMap(({ name, versions }) =>
        versions.map((version) => [`${name}@${version}`, licence] as const),
      ),
    ),
  );
}

export async function main(words: readonly string[]): Promise<void> {
  const isWithDevelopment = words.includes('--all');
  const lockfile = readLockfile();
  const parts = isWithDevelopment ? Object.keys(lockfile.importers) : ['apps/api', 'apps/web'];
  const bill = billOfMaterials({
    product: JSON.parse(readFileSync(inRepository('package.json'), 'utf8')) as {
      name: string;
      version: string;
      license: string;
    },
    packages: lockedPackages(lockfile, parts, isWithDevelopment),
    licences: await statedLicences(),
  });
  const file = words.find((word) => !word.startsWith('--'));
  if (file === undefined) process.stdout.write(`${bill}\n`);
  else writeFileSync(file, `${bill}\n`);
}
