import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRepository, unitcellHome } from '../../lib/paths.mjs';

/**
 * A folder for installations of the clients tier. It is outside node_modules, because installing the project
 * empties that.
 */
export function keptFolder(name: string): string {
  const folder = join(unitcellHome(), 'clients', name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * Folder in which the api tier records its answers: one folder per contract, because the contract determines
 * the shapes of the answers.
 */
export function answersFolder(): string {
  const folder = inRepository('packages/contract/src');
  const hash = createHash('sha256');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort())
    if (name.endsWith('.ts')) hash.update(readFileSync(join(folder, name)));
  return keptFolder(`answers-${hash.digest('hex').slice(0, 16)}`);
}
