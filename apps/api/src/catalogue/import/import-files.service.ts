/**
 * Imports files: files → units → (worker threads) standard materials → database. An import works in batches, can
 * be resumed and uses bounded memory. Afterwards the hulls of all affected chemical systems are derived once.
 */
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { CatalogueThreads } from '../open-catalogue-threads.ts';
import { ownThreads, type Standardiser } from './standardise-in-parallel.ts';
import { type NamedRow, rowNameOf, type UnitOutcome } from './standardise-units.ts';
import type { SourceUnit } from './draft/drafts-of-unit.ts';
import type { StatedOrigin } from './draft/stated-origin.ts';
import type { StandardMaterial } from '../standardise.ts';
import type { Database } from '../../infra/database.ts';
import { materialsRepository } from '../materials.repository.ts';
import type { SourceOrder } from '../records/source-order.ts';
import type { PropertyTable } from './sources/property-table.ts';
import { readSource } from './sources/read-source.ts';

/**
 * Units per task and transaction: large enough for speed, small enough to lose little after an interruption.
 */
export const BATCH_UNITS = 200;
/** Characters per batch, so that long lines make small batches. */
const BATCH_LENGTH = 4_000_000;
/** Refusals kept per file in a report; further refusals are only counted. */
export const REPORTED_REFUSALS = 10_000;

export interface Refusal {
  readonly label: string;
  readonly reason: string;
}

export interface FileReport {
  readonly path: string;
  readonly accepted: number;
  readonly refused: number;
  readonly duplicates: number;
  /** Accepted materials that were merged into an existing material in this run. */
  readonly merged: number;
  /** Units already done by an earlier, interrupted run. */
  readonly resumedAfter: number;
  readonly refusals: readonly Refusal[];
}

export interface ImportProgress {
  readonly bytesRead: number;
  readonly bytesTotal: number;
  readonly accepted: number;
  readonly refused: number;
  readonly duplicates: number;
}

export interface ImportOptions {
  readonly database: Pick<Database, 'db' | 'pool'>;
  readonly threads: CatalogueThreads;
  /** The scale on which a material is listed if it has an energy on that scale. */
  readonly defaultFunctional: string;
  readonly sourceOrder?: SourceOrder;
  /** Scale, source and licence for rows that do not state them. */
  readonly origin?: StatedOrigin;
  /** Property table, joined to the units by id. */
  readonly table?: PropertyTable;
  /** Default: the threads of this process. */
  readonly standardiser?: Standardiser;
}

async function fileKeyOf(
  path: string,
  origin: StatedOrigin,
  table: PropertyTable | undefined,
): Promise<{ key: string; size: number }> {
  const hash = createHash('sha256');
  const add = async (name: string, last = ''): Promise<Stats | null> => {
    const info = await stat(name).catch(() => null);
    hash.update(`${resolve(name)}:${info?.size ?? 0}:${info?.mtimeMs ?? 0}${last}`);
    return info;
  };
  const stated = Object.keys(origin).length > 0 ? JSON.stringify(origin) : '';
  const info = await add(path, `${stated}${table?.key ?? ''}`);
  // The modification time of a folder does not show changes in files and subfolders, so they are added.
  const inside = info?.isDirectory() ? await readdir(path, { recursive: true }).catch(() => []) : [];
  for (const name of inside.sort()) await add(join(path, name));
  return { key: hash.digest('hex'), size: info?.size ?? 0 };
}

/** @param done number of units after which a batch ends, because an earlier run has stored them */
async function* batchesOf(
  units: AsyncIterable<SourceUnit>,
  done: number,
  table: PropertyTable | undefined,
): AsyncGenerator<SourceUnit[]> {
  let batch: SourceUnit[] = [];
  let length = 0;
  let count = 0;
  for await (const unit of units) {
    batch.push(table ? table.join(unit) : unit);
    length += unit.text.length;
    if (++count !== done && batch.length < BATCH_UNITS && length < BATCH_LENGTH) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Detects rows of one file with the same source id but different content: the first row is kept. */
function idsOfFile() {
  const hashes = new Map<string, string>();
  const textOf = (hash: Uint8Array): string => Buffer.from(hash).toString('base64');
  return {
    remember(rows: readonly NamedRow[]): void {
      for (const { name, hash } of rows) if (!hashes.has(name)) hashes.set(name, textOf(hash));
    },
    sort(outcomes: readonly UnitOutcome[]) {
      const kept: StandardMaterial[] = [];
      const contradicting: Refusal[] = [];
      for (const { label, materials } of outcomes)
        for (const material of materials) {
          const { sourceName, sourceId, contentHash } = material;
          const name = rowNameOf(material);
          const hash = textOf(contentHash);
          if (name === null || (hashes.get(name) ?? hash) === hash) {
            if (name !== null) hashes.set(name, hash);
            kept.push(material);
          } else
            contradicting.push({
              label,
              reason: `${sourceName} ${sourceId} came before in this file with another structure or other energies: keep one of the two`,
            });
        }
      return { kept, contradicting };
    },
  };
}

export function importFiles({
  database,
  threads,
  defaultFunctional,
  sourceOrder,
  origin = {},
  table,
  standardiser = ownThreads(threads),
}: ImportOptions) {
  const materials = materialsRepository(database, {
    work: {
      assignCrystals: (groups) => threads.run('assignCrystals', groups),
      mergeRecords: (requests) => threads.run('mergeRecords', requests),
    },
    ...(sourceOrder ? { order: sourceOrder } : {}),
  });
  return {
    /**
     * Imports one file or folder; resumes an interrupted import of the same file.
     * @throws UnreadableSource
     */
    async importPath(
      path: string,
      onProgress: (progress: ImportProgress) => void = () => undefined,
    ): Promise<FileReport> {
      const { key, size } = await fileKeyOf(path, origin, table);
      const progress = await materials.openFile(key, path);
      const refusals: Refusal[] = [];
      let { accepted, refused, duplicates, unitsDone } = progress;
      const ids = idsOfFile();
      let unitsRead = 0;
      let bytesRead = 0;
      let merged = 0;
      const report = () => onProgress({ bytesRead, bytesTotal: size, accepted, refused, duplicates });
      const result = () => ({
        path,
        accepted,
        refused,
        duplicates,
        merged,
        resumedAfter: progress.unitsDone,
        refusals,
      });
      if (progress.isFinished) return result();

      const store = async (outcomes: readonly UnitOutcome[]): Promise<void> => {
        const { kept, contradicting } = ids.sort(outcomes);
        const refusedHere = [
          ...outcomes.flatMap(({ label, refusals: reasons }) => reasons.map((reason) => ({ label, reason }))),
          ...contradicting,
        ];
        unitsDone += outcomes.length;
        const stored = await materials.storeBatch(kept, defaultFunctional, {
          fileId: progress.id,
          unitsDone,
          refused: refusedHere.length,
        });
        for (const id of stored.taken)
          refusedHere.push({ label: path, reason: `struct_id ${id} already belongs to another material` });
        accepted += stored.accepted;
        duplicates += stored.duplicates;
        merged += stored.merged;
        refused += refusedHere.length;
        refusals.push(...refusedHere.slice(0, Math.max(0, REPORTED_REFUSALS - refusals.length)));
        report();
      };

      const units = readSource(path, (bytes) => {
        bytesRead += bytes;
      });
      const pending: Promise<UnitOutcome[]>[] = [];
      try {
        for await (const batch of batchesOf(units, progress.unitsDone, table)) {
          unitsRead += batch.length;
          if (unitsRead <= progress.unitsDone) {
            ids.remember(
              await materials.storedRows(await threads.run('namedRows', { units: batch, origin })),
            );
            continue;
          }
          pending.push(standardiser.standardise({ units: batch, origin }));
          // Batches are stored in file order, so the number of finished units is enough to resume.
          if (pending.length >= standardiser.atOnce) await store(await pending.shift()!);
        }
        for (const outcomes of pending.splice(0)) await store(await outcomes);
      } finally {
        await Promise.allSettled(pending);
      }
      await materials.finishFile(progress.id);
      return result();
    },
  };
}
