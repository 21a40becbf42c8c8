/** Pictures of people in a backup: one line each, name and bytes, after the tables. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const LINE = /^-- picture ([0-9a-f-]{49}\.webp) ([A-Za-z0-9+/=]+)$/;

/** The pictures of a folder, as lines; none where there is no folder. */
export async function* pictureLines(directory: string): AsyncGenerator<string> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) {
    const bytes = await readFile(join(directory, name)).catch((error: NodeJS.ErrnoException) => {
      // Removed by its owner while we were writing others.
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    const line = bytes && `-- picture ${name} ${bytes.toString('base64')}`;
    // What is being written there still has another name.
    if (line && LINE.test(line)) yield `${line}\n`;
  }
}

/** Takes the pictures of a backup: they lie beside the folder until all has been read, and are moved in by `keep`. */
export function pictureTaker(directory: string) {
  const aside = join(directory, '..', `avatars-restored-${randomUUID()}`);
  const taken: string[] = [];
  return {
    /** @returns whether the line is a picture */
    async take(line: string): Promise<boolean> {
      const [, name, base64] = LINE.exec(line) ?? [];
      if (name === undefined || base64 === undefined) return false;
      await mkdir(aside, { recursive: true });
      await writeFile(join(aside, name), Buffer.from(base64, 'base64'), { mode: 0o600 });
      taken.push(name);
      return true;
    },
    async keep(): Promise<void> {
      await mkdir(directory, { recursive: true });
      for (const name of taken) await rename(join(aside, name), join(directory, name));
    },
    drop: () => rm(aside, { recursive: true, force: true }),
  };
}
