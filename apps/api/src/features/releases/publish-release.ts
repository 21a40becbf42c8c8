/** Writes the dumps of a release to a temporary folder, which is renamed when it is complete. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { exportRows, toImportLine } from '../../catalogue/export/export-materials.ts';
import type { StoredMaterial } from '../../catalogue/stored-material.ts';
import type { Db } from '../../infra/database.ts';
import { MANIFEST, type Manifest, type ManifestFile, releasesFolder } from './releases.feature.ts';
import {
  type ElectrodeDump,
  ELECTRODES,
  HULLS,
  jsonLinesFile,
  MATERIALS,
  objectOf,
  parquetFile,
  type PotentialRow,
  POTENTIAL,
  type RowFile,
  type Table,
  type WindowRow,
  WINDOWS,
} from './write/tables.ts';

const PAGE_ROWS = 5000;

/** Held during a publication, because a second one would delete the unfinished files of the first. */
const PUBLISH_LOCK = 190_005;

/** @throws CannotPublish while another process publishes */
async function lockPublication(tx: Db): Promise<void> {
  const { isHeld } = await tx
    .selectNoFrom(sql<boolean>`pg_try_advisory_xact_lock(${PUBLISH_LOCK})`.as('isHeld'))
    .executeTakeFirstOrThrow();
  if (!isHeld) throw new CannotPublish('another publication is under way');
}

/** Runs `work` on a snapshot of the catalogue. */
const atOneMoment = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);

/** The last finished rebuild, and the number of chemical systems waiting for the next rebuild. */
async function lastRelease(tx: Db): Promise<{ release: number | null; waiting: number }> {
  const count = sql<number>`count(*)::int`.as('count');
  const { release } = await tx
    .selectFrom('release')
    .select(({ fn }) => fn.max('id').as('release'))
    .where('finished_at', 'is not', null)
    .executeTakeFirstOrThrow();
  const systems = await tx.selectFrom('dirty_system').select(count).executeTakeFirstOrThrow();
  const windows = await tx.selectFrom('dirty_window').select(count).executeTakeFirstOrThrow();
  const electrodes = await tx.selectFrom('dirty_electrode').select(count).executeTakeFirstOrThrow();
  return { release, waiting: systems.count + windows.count + electrodes.count };
}

const windowsAfter = (tx: Db, [id, ion, scale]: readonly [number, string, string]) =>
  tx
    .selectFrom('electrochemical_window as w')
    .innerJoin('material as m', 'm.struct_id', 'w.struct_id')
    .select([
      'w.struct_id',
      'm.formula',
      'm.chemical_system',
      'w.working_ion',
      'w.functional as energy_scale',
    ])
    .select(['w.reduction_onset', 'w.oxidation_onset', 'w.release_id as release'])
    .select(['m.source_name', 'm.source_id', 'm.source_licence'])
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('w.struct_id', 'w.working_ion', 'w.functional'), '>', tuple(id, ion, scale)),
    )
    .orderBy('w.struct_id')
    .orderBy('w.working_ion')
    .orderBy('w.functional')
    .limit(PAGE_ROWS);

const electrodesAfter = (tx: Db, [id, ion, scale]: readonly [number, string, string]) =>
  tx
    .selectFrom('electrode as e')
    .innerJoin('material as m', 'm.struct_id', 'e.discharged_id')
    .innerJoin('material as charged', 'charged.struct_id', 'e.charged_id')
    .selectAll('e')
    .select(['m.formula', 'charged.formula as charged_formula'])
    .select(['m.source_name', 'm.source_id', 'm.source_licence'])
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('e.discharged_id', 'e.working_ion', 'e.functional'), '>', tuple(id, ion, scale)),
    )
    .orderBy('e.discharged_id')
    .orderBy('e.working_ion')
    .orderBy('e.functional')
    .limit(PAGE_ROWS);

const potentialAfter = (tx: Db, id: number) =>
  tx
    .selectFrom('potential_prediction as p')
    .innerJoin('material as m', 'm.struct_id', 'p.struct_id')
    .selectAll('p')
    .select(['m.formula', 'm.source_name', 'm.source_id', 'm.source_licence'])
    .where('p.max_force', 'is not', null)
    .where('p.struct_id', '>', id)
    .orderBy('p.struct_id')
    .limit(PAGE_ROWS);

/** Values of the interatomic potential, sorted by material. */
async function* potentialRows(tx: Db): AsyncGenerator<PotentialRow> {
  for (let after = -1; ; ) {
    const rows = await potentialAfter(tx, after).execute();
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.struct_id;
  }
}

/** All windows, sorted by material, ion and scale. */
async function* windowRows(tx: Db): AsyncGenerator<WindowRow> {
  for (let after: readonly [number, string, string] = [-1, '', '']; ; ) {
    const rows = await windowsAfter(tx, after).execute();
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = [last.struct_id, last.working_ion, last.energy_scale];
  }
}

/** All electrodes, sorted by discharged material, ion and scale. */
async function* electrodeRows(tx: Db): AsyncGenerator<ElectrodeDump> {
  for (let after: readonly [number, string, string] = [-1, '', '']; ; ) {
    const rows = await electrodesAfter(tx, after).execute();
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = [last.discharged_id, last.working_ion, last.functional];
  }
}

// ── The files ──

const JSON_LINES = 'application/gzip';
const PARQUET = 'application/vnd.apache.parquet';

interface PublishOptions {
  readonly db: Db;
  /** Folder of the installation. */
  readonly home: string;
  readonly publicUrl: string;
  readonly now: Date;
  /** Makes the lines of the OPTIMADE file from the catalogue in the transaction. */
  readonly optimadeLines: (tx: Db) => AsyncIterable<object>;
  readonly onProgress: (materials: number) => void;
}

/** Error that states for the operator why nothing can be published. */
export class CannotPublish extends Error {
  override readonly name = 'CannotPublish';
}

async function sha256Of(path: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const part of createReadStream(path)) digest.update(part as Buffer);
  return digest.digest('hex');
}

const FORMER = '.former';

/** Removes what killed publications left. A former release whose replacement is missing is restored. */
async function clearUp(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const release = name.endsWith(FORMER) ? join(folder, name.slice(1, -FORMER.length)) : null;
    if (release !== null && !existsSync(release)) await rename(join(folder, name), release);
    else if (name.startsWith('.')) await rm(join(folder, name), { recursive: true });
  }
}

/** @throws CannotPublish */
export async function publishRelease(options: PublishOptions): Promise<Manifest> {
  const { db, home, publicUrl, now, optimadeLines, onProgress } = options;
  const folder = releasesFolder(home);
  return atOneMoment(db, async (tx) => {
    await lockPublication(tx);
    const { release, waiting } = await lastRelease(tx);
    if (release === null) throw new CannotPublish('there is no release yet: run "rebuild hulls" first');
    if (waiting > 0)
      throw new CannotPublish(
        `${waiting} chemical systems wait for their hulls and windows: run this again when the worker is done`,
      );
    await mkdir(folder, { recursive: true });
    await clearUp(folder);
    const part = join(folder, `.${release}.part`);
    await mkdir(part);
    try {
      const facts = { release: String(release), site: publicUrl, published_at: now.toISOString() };
      const lines = (material: StoredMaterial) => ({
        ...toImportLine(material),
        struct_id: material.structId,
        address: `${publicUrl}/matdatades/${material.structId}`,
      });
      const file = (name: string): string => join(part, name);
      const written: [name: string, about: string, media: string, file: RowFile<never>][] = [];
      const open = <Row>(name: string, about: string, media: string, made: RowFile<Row>): RowFile<Row> => {
        written.push([name, about, media, made]);
        return made;
      };
      /** A table as JSON Lines and as Parquet. */
      const both = <Row>(
        table: Table<Row>,
        line: (row: Row) => object = objectOf(table),
        ofLines = '',
      ): readonly RowFile<Row>[] => [
        open(
          `${table.name}.jsonl.gz`,
          table.about + ofLines,
          JSON_LINES,
          jsonLinesFile(file(`${table.name}.jsonl.gz`), line),
        ),
        open(
          `${table.name}.parquet`,
          table.about,
          PARQUET,
          parquetFile(file(`${table.name}.parquet`), table, facts),
        ),
      ];
      const materials = both(
        MATERIALS,
        lines,
        '; with tensors, bands and all energies, as "import" reads it',
      );
      const hulls = both(HULLS);
      const windows = both(WINDOWS);
      const electrodes = both(ELECTRODES);
      const potential = both(POTENTIAL);
      const optimade = open(
        'optimade.jsonl.gz',
        'OPTIMADE JSON Lines: a header, the description of the properties, one structure a line',
        JSON_LINES,
        jsonLinesFile<object>(file('optimade.jsonl.gz'), (line) => line),
      );
      const licences: Record<string, number> = {};
      let count = 0;
      for await (const material of exportRows({ readDb: tx })) {
        for (const table of materials) await table.add(material);
        for (const energy of material.energies)
          for (const table of hulls) await table.add({ material, energy });
        const licence = material.sourceLicence || 'not stated';
        licences[licence] = (licences[licence] ?? 0) + 1;
        if (++count % 10_000 === 0) onProgress(count);
      }
      for await (const row of windowRows(tx)) for (const table of windows) await table.add(row);
      for await (const row of electrodeRows(tx)) for (const table of electrodes) await table.add(row);
      for await (const row of potentialRows(tx)) for (const table of potential) await table.add(row);
      for await (const line of optimadeLines(tx)) await optimade.add(line);
      const files: ManifestFile[] = [];
      for (const [name, about, media_type, made] of written) {
        const rows = await made.finish();
        const { size: bytes } = await stat(file(name));
        files.push({ name, about, media_type, rows, bytes, sha256: await sha256Of(file(name)) });
      }
      const manifest: Manifest = {
        release,
        published_at: now.toISOString(),
        materials: count,
        licences,
        cite: `Unitcell (${publicUrl}), release ${release}, published ${now.toISOString().slice(0, 10)}: ${count} materials. Cite the source of each row used (source_name, source_id, source_licence) as well.`,
        files,
      };
      await writeFile(file(MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
      const target = join(folder, String(release));
      if (existsSync(target)) await rename(target, join(folder, `.${release}${FORMER}`));
      await rename(part, target);
      await clearUp(folder);
      return manifest;
    } catch (error) {
      await clearUp(folder);
      throw error;
    }
  });
}
