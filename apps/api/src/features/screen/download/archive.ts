/** The crystals of a result as a tar archive, gzip: a file each, and lists of their sources. Written while it is sent. */
import { setImmediate } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { pack, type Pack } from 'tar-stream';
import type { Completenesses } from '../../../domain/thermodynamics/completeness.ts';
import type { Expressions } from '../index/screen-index.ts';
import type { ScreenRepository, StoredCrystal } from '../screen.repository.ts';
import { csvCell } from './csv-cell.ts';

export interface DownloadInput {
  readonly ids: readonly number[];
  readonly scale: string;
  /** The last rebuild of derived data. */
  readonly release: number;
  readonly repository: Pick<ScreenRepository, 'rows' | 'crystals'>;
  readonly completeness: Pick<Completenesses, 'ofEach'>;
  /** Further columns of tables. */
  readonly calculated?: Expressions;
}

/** Materials read at once. */
const PAGE = 500;
/** Files in one folder, and lines of one list of sources: what is in memory does not grow with the archive. */
const FOLDER = 1000;

const HEADER = 'struct_id,file,source,source_id,licence,release';

const readme = ({ ids, release }: DownloadInput): string =>
  `Unitcell, release ${release}: ${ids.length} materials, conventional cells.
Each file names its source and licence; sources.csv of each folder lists them. A material without a file has none in this
format: sites that several elements share cannot be written as POSCAR.
每个文件均注明来源与许可；各文件夹中的 sources.csv 汇总这些信息。没有文件的材料无法以此格式写出：POSCAR 不能表示多种元素共占的位点。
`;

/** Resolves when the entry has gone on its way: the archive is read no faster than it is sent. */
const put = (tar: Pack, name: string, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    tar.entry({ name, mtime: new Date(0) }, text, (error) => (error ? reject(error) : resolve()));
  });

type WriteFile = (stored: StoredCrystal, release: number) => string | null;

async function fill(tar: Pack, input: DownloadInput, ending: string, write: WriteFile): Promise<void> {
  const { ids, release, repository } = input;
  const root = `unitcell-release-${release}`;
  await put(tar, `${root}/README.txt`, readme(input));
  for (let first = 0; first < ids.length; first += FOLDER) {
    const folder = `${root}/${String(first / FOLDER + 1).padStart(4, '0')}`;
    const sources = [HEADER];
    for (let from = first; from < Math.min(ids.length, first + FOLDER); from += PAGE)
      for (const stored of await repository.crystals(ids.slice(from, from + PAGE))) {
        if (tar.destroyed) return;
        const { structId, formulaReduced, sourceName, sourceId, sourceLicence } = stored;
        const text = write(stored, release);
        const name = `${structId}-${formulaReduced}.${ending}`;
        if (text !== null) await put(tar, `${folder}/${name}`, text);
        const line = [structId, text === null ? '' : name, sourceName, sourceId, sourceLicence, release];
        sources.push(line.map(csvCell).join(','));
        // Others get their turn between two crystals.
        await setImmediate();
      }
    await put(tar, `${folder}/sources.csv`, `${sources.join('\r\n')}\r\n`);
  }
  tar.finalize();
}

/** Stops reading when nobody takes the parts any more. */
export async function* archive(
  input: DownloadInput,
  ending: string,
  write: WriteFile,
): AsyncGenerator<Uint8Array> {
  const tar = pack();
  const packed = createGzip({ level: 4 });
  tar.on('error', (error) => packed.destroy(error));
  tar.pipe(packed);
  fill(tar, input, ending, write).catch((error: unknown) =>
    packed.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  try {
    for await (const part of packed) yield part as Uint8Array;
  } finally {
    tar.destroy();
    packed.destroy();
  }
}
