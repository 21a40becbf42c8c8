/** The dumps of an installation: folders with a manifest, and which of them are kept. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublishedRelease, ReleaseFile } from '@unitcell/contract/releases';

export const MANIFEST = 'manifest.json';

export type ManifestFile = Omit<ReleaseFile, 'address'>;
export interface Manifest extends Omit<PublishedRelease, 'files'> {
  readonly files: readonly ManifestFile[];
}

export const releasesFolder = (home: string): string => join(home, 'releases');

const isMissing = (error: unknown): boolean =>
  error instanceof Error && (error as NodeJS.ErrnoException).code === 'ENOENT';

export type Releases = ReturnType<typeof releases>;

export function releases(home: string) {
  const folder = releasesFolder(home);
  const folderOf = (release: number): string => join(folder, String(release));

  async function read(release: number): Promise<Manifest | null> {
    try {
      return JSON.parse(await readFile(join(folderOf(release), MANIFEST), 'utf8')) as Manifest;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  /** Newest first. */
  async function list(): Promise<Manifest[]> {
    const names = await readdir(folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const numbers = names.filter((name) => /^\d{1,10}$/.test(name)).map(Number);
    const found = await Promise.all(numbers.sort((a, b) => b - a).map(read));
    return found.filter((manifest) => manifest !== null);
  }

  return {
    list,

    /** A file of a release, by its name in the manifest; null when there is none. */
    async file(release: number, name: string): Promise<{ path: string; file: ManifestFile } | null> {
      const file = (await read(release))?.files.find((one) => one.name === name);
      return file ? { path: join(folderOf(release), file.name), file } : null;
    },

    /**
     * Removes old dumps: the newest `keep` stay, and the last of every year, so that what a paper cites can be had.
     * @returns the numbers of those removed
     */
    async prune(keep: number): Promise<number[]> {
      const all = await list();
      const seen = new Set<string>();
      const gone = all.filter(({ published_at }, index) => {
        const year = published_at.slice(0, 4);
        const isLastOfYear = !seen.has(year);
        seen.add(year);
        return index >= keep && !isLastOfYear;
      });
      for (const { release } of gone) await rm(folderOf(release), { recursive: true });
      return gone.map(({ release }) => release);
    },
  };
}
