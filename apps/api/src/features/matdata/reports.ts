/** Reports of problems with entries: sent by readers here, answered by administrators in features/operate. */
import { type EntryReport, listReports, reportEntry } from '@unitcell/contract/matdata';
import { parseStructId } from '@unitcell/contract/common';
import type { FastifyInstance } from 'fastify';
import { lockLivingAccount } from '../../domain/living-account.ts';
import { ownerOf } from '../../http/client-network.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import type { Database, Db } from '../../infra/database.ts';
import { currentStructId } from '../../infra/sql.ts';
import { type Budget, spendToken } from '../../infra/token-bucket.ts';
import { AppError } from '../../messages/app-error.ts';

/** Number of reports that one account, key or host may send per day. */
const BUDGET: Budget = { capacity: 10, refillSeconds: 86_400 };

export const REPORT_COLUMNS = [
  'entry_report.id',
  'entry_report.struct_id',
  'message',
  'entry_report.created_at',
  'answer',
  'answered_at',
] as const;

type ReportRow = Pick<EntryReport, 'id' | 'struct_id' | 'message' | 'answer'> & {
  readonly created_at: Date;
  readonly answered_at: Date | null;
};

export const toEntryReport = <Row extends ReportRow>({ created_at, answered_at, ...row }: Row) => ({
  ...row,
  created_at: created_at.toISOString(),
  answered_at: answered_at?.toISOString() ?? null,
});

/** @throws AppError material.not-found */
async function materialOf(db: Db, typed: string | number): Promise<number> {
  const id = parseStructId(typed);
  const found =
    id === null
      ? undefined
      : await db
          .selectFrom('material')
          .select('struct_id')
          .where('struct_id', '=', currentStructId(id))
          .executeTakeFirst();
  if (!found) throw new AppError('material.not-found', { id: String(typed).slice(0, 20) });
  return found.struct_id;
}

export function reportsRoutes(app: FastifyInstance, { db }: Pick<Database, 'db'>): void {
  serveCall(app, reportEntry, async ({ body: { struct_id: typed, message, email }, request }) => {
    request.identity = await app.optionalIdentity(request);
    const accountId = request.identity?.accountId ?? null;
    if (accountId === null && email === '') throw new AppError('report.no-contact');
    const structId = await materialOf(db, typed);
    const { allowed, retryAfterSeconds } = await spendToken(db, `report:${ownerOf(request)}`, BUDGET);
    if (!allowed) {
      const minutes = Math.ceil(retryAfterSeconds / 60);
      throw new AppError('request.too-many', { limit: BUDGET.capacity, minutes }, {}, 'report.too-many');
    }
    const report = await db.transaction().execute(async (tx) => {
      if (accountId !== null) await lockLivingAccount(tx, accountId);
      return tx
        .insertInto('entry_report')
        .values({ struct_id: structId, account_id: accountId, email, message })
        .returning(REPORT_COLUMNS)
        .executeTakeFirstOrThrow();
    });
    return { ...done, report: toEntryReport(report) };
  });

  serveCall(app, listReports, async ({ body: { struct_id: typed }, identity: { accountId } }) => {
    const reports = await db
      .selectFrom('entry_report')
      .select(REPORT_COLUMNS)
      .where('account_id', '=', accountId)
      .where('entry_report.struct_id', '=', parseStructId(typed) ?? 0)
      .orderBy('id', 'desc')
      .limit(50)
      .execute();
    return { ...done, reports: reports.map(toEntryReport) };
  });
}
