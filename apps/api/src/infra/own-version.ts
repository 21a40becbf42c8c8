/** The version of the product. */
import { readFile } from 'node:fs/promises';

/** Where the package this program is of stands, from a source file and from the built program. */
const PACKAGES = ['../../../../package.json', '../../../package.json'];

/** Empty where the package does not lie beside the program. */
export async function ownVersion(): Promise<string> {
  for (const place of PACKAGES) {
    const text = await readFile(new URL(place, import.meta.url), 'utf8').catch(() => '{}');
    const { name, version } = JSON.parse(text) as { name?: string; version?: string };
    if (name === 'unitcell' && version !== undefined) return version;
  }
  return '';
}
