/** Stored searches for new compounds and the data they use: only SQL. */
import type { DesignCandidate, DesignCounts, DesignRequest, DesignStatus } from '@unitcell/contract/design';
import type { CompactCell } from '@unitcell/crystal';
import { sql } from 'kysely';
import type { Database } from '../../infra/database.ts';
import { anyOf, json, now } from '../../infra/sql.ts';

export interface StoredRun {
  readonly id: number;
  readonly accountId: number;
  readonly request: DesignRequest;
  readonly status: DesignStatus;
  readonly progress: number;
  readonly counts: DesignCounts;
  readonly model: string;
  readonly reason: string;
  readonly reasonParameters: Readonly<Record<string, string | number>>;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

const COLUMNS = [
  'id',
  'account_id as accountId',
  'request',
  'status',
  'progress',
  'counts',
  'model',
  'reason',
  'reason_parameters as reasonParameters',
  'created_at as createdAt',
  'finished_at as finishedAt',
] as const;

const OPEN = ['queued', 'running'] as const satisfies readonly DesignStatus[];

/** Number of searches listed. */
const LISTED = 20;
/** Known crystals used as templates, most stable first. */
const MOST_TEMPLATES = 20_000;

export type DesignRepository = ReturnType<typeof designRepository>;

export function designRepository({ db, readDb }: Pick<Database, 'db' | 'readDb'>) {
  return {
    /** Stores a search unless the account has one running. @returns its id; null: one is running */
    async insert(accountId: number, request: DesignRequest): Promise<number | null> {
      return db.transaction().execute(async (tx) => {
        // Serialises the account's requests.
        await sql`SELECT pg_advisory_xact_lock(${DESIGN_LOCK}, ${accountId})`.execute(tx);
        const open = await tx
          .selectFrom('design_run')
          .select('id')
          .where('account_id', '=', accountId)
          .where('status', 'in', OPEN)
          .executeTakeFirst();
        if (open) return null;
        const { id } = await tx
          .insertInto('design_run')
          .values({ account_id: accountId, request: json(request) })
          .returning('id')
          .executeTakeFirstOrThrow();
        return id;
      });
    },

    ofAccount: (accountId: number): Promise<StoredRun[]> =>
      db
        .selectFrom('design_run')
        .select(COLUMNS)
        .where('account_id', '=', accountId)
        .orderBy('id', 'desc')
        .limit(LISTED)
        .execute(),

    async byId(id: number, accountId: number | null): Promise<StoredRun | null> {
      const found = await db
        .selectFrom('design_run')
        .select(COLUMNS)
        .where('id', '=', id)
        .$if(accountId !== null, (query) => query.where('account_id', '=', accountId!))
        .executeTakeFirst();
      return found ?? null;
    },

    async candidates(id: number): Promise<DesignCandidate[]> {
      const rows = await db
        .selectFrom('design_candidate')
        .select('candidate')
        .where('run_id', '=', id)
        .orderBy('rank')
        .execute();
      return rows.map(({ candidate }) => candidate);
    },

    async cell(id: number, rank: number): Promise<CompactCell | null> {
      const found = await db
        .selectFrom('design_candidate')
        .select('cell')
        .where('run_id', '=', id)
        .where('rank', '=', rank)
        .executeTakeFirst();
      return found?.cell ?? null;
    },

    /** @returns false when it had ended already */
    async cancel(id: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('design_run')
        .set({ status: 'cancelled', finished_at: now })
        .where('id', '=', id)
        .where('status', 'in', OPEN)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Starts a search or continues one that another worker left. @returns false when it has ended */
    async begin(id: number, model: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('design_run')
        .set({ status: 'running', model, progress: 0, started_at: now })
        .where('id', '=', id)
        .where('status', 'in', OPEN)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** @returns false when it was cancelled meanwhile */
    async report(id: number, progress: number, counts: DesignCounts): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('design_run')
        .set({ progress, counts: json(counts) })
        .where('id', '=', id)
        .where('status', '=', 'running')
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Stores all results, or nothing if the search was cancelled meanwhile. */
    async finish(
      id: number,
      counts: DesignCounts,
      found: readonly { readonly candidate: DesignCandidate; readonly cell: CompactCell }[],
    ): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('design_run')
          .set({ status: 'finished', progress: 1, counts: json(counts), finished_at: now })
          .where('id', '=', id)
          .where('status', '=', 'running')
          .executeTakeFirst();
        if (numUpdatedRows === 0n || found.length === 0) return;
        await tx
          .insertInto('design_candidate')
          .values(
            found.map(({ candidate, cell }) => ({
              run_id: id,
              rank: candidate.rank,
              candidate: json(candidate),
              cell: json(cell),
            })),
          )
          .execute();
      });
    },

    async fail(
      id: number,
      reason: string,
      parameters: Readonly<Record<string, string | number>> = {},
    ): Promise<void> {
      await db
        .updateTable('design_run')
        .set({ status: 'failed', reason, reason_parameters: json(parameters), finished_at: now })
        .where('id', '=', id)
        .where('status', 'in', OPEN)
        .execute();
    },

    /** Ordered crystals with this number of elements, most stable first. */
    templates(nElements: number, maxAtoms: number) {
      return readDb
        .selectFrom('material')
        .innerJoin('structure_arrangement as arrangement', 'arrangement.struct_id', 'material.struct_id')
        .select(['material.struct_id as structId', 'formula_reduced as formulaReduced', 'nsites as nSites'])
        .select('arrangement.prototype')
        .where('nelements', '=', nElements)
        .where('nsites', '<=', maxAtoms)
        .orderBy('energy_above_hull', (order) => order.asc().nullsLast())
        .orderBy('material.struct_id')
        .limit(MOST_TEMPLATES)
        .execute();
    },

    templateCells(ids: readonly number[]) {
      return readDb
        .selectFrom('material')
        .innerJoin('material_structure as structure', 'structure.struct_id', 'material.struct_id')
        .select(['material.struct_id as structId', 'formula', 'space_group as spaceGroup'])
        .select('structure.primitive as cell')
        .where('material.struct_id', '=', anyOf(ids, 'int'))
        .execute();
    },

    knownCells(formulas: readonly string[]) {
      return readDb
        .selectFrom('material')
        .innerJoin('material_structure as structure', 'structure.struct_id', 'material.struct_id')
        .select(['material.struct_id as structId', 'formula_reduced as formulaReduced'])
        .select('structure.primitive as cell')
        .where('formula_reduced', '=', anyOf(formulas, 'text'))
        .orderBy('material.struct_id')
        .execute();
    },
  };
}

/** First key of the lock on an account's searches; the second is the account. */
const DESIGN_LOCK = 190_001;
