import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { unitcellHome } from '../../../../scripts/lib/paths.mjs';

/** A folder for what the tier installs: beside the data of this checkout, since an installation of the project empties node_modules. */
export function keptFolder(name: string): string {
  const folder = join(unitcellHome(), 'clients', name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
