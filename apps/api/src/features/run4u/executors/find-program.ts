import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of a program: unchanged if it contains a slash, otherwise the first match on the search path. */
export function findProgram(name: string, searchPath: string): string | null {
  if (name.includes('/')) return isProgram(name) ? name : null;
  for (const folder of searchPath.split(delimiter)) {
    const path = join(folder, name);
    if (folder !== '' && isProgram(path)) return path;
  }
  return null;
}
