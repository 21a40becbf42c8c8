/** A second model for tests of switching: the shipped one with the last byte of its weights changed. */
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nameOfModel } from '@unitcell/prediction/node';

const SHIPPED = fileURLToPath(new URL('../../../../packages/prediction/model/', import.meta.url));

/** Puts the model into an installation's folder of models. @returns its name */
export async function otherModel(home: string, folder: string): Promise<string> {
  const to = join(home, 'models', folder);
  await mkdir(to, { recursive: true });
  await cp(SHIPPED, to, { recursive: true });
  const binary = await readFile(join(to, 'model.bin'));
  binary[binary.length - 2]! ^= 1;
  await writeFile(join(to, 'model.bin'), binary);
  const manifest = JSON.parse(await readFile(join(to, 'model.json'), 'utf8')) as { sha256: string };
  manifest.sha256 = createHash('sha256').update(binary).digest('hex');
  await writeFile(join(to, 'model.json'), JSON.stringify(manifest));
  return nameOfModel(manifest);
}
