/** Reports of problems with entries, for the administrators' page and the command line. */
import { operateAnswerReport, operateReports } from '@unitcell/contract/operate';
import type { REPORT_STATES } from '@unitcell/contract/operate/rules';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { done, serveCall } from '../../http/serve-call.ts';
import type { Database } from '../../infra/database.ts';
import { columnsOf, now, shownName } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';
import { askedBy, type By, writeAudit } from '../account/audit-log.ts';
import { REPORT_COLUMNS, toEntryReport } from '../matdata/reports.ts';

const PAGE = 50;

interface ReportFilter {
  readonly state: (typeof REPORT_STATES)[number] | null;
  /** Only older reports than this one. */
  readonly before: number | null;
  readonly limit: number;
}

export function operatedReports({ db }: Pick<Database, 'db'>) {
  const answeredAt = columnsOf('entry_report')('answered_at');
  return {
    /** Reports, newest first. */
    async list({ state, before, limit }: ReportFilter) {
      const rows = await db
        .selectFrom('entry_report')
        .leftJoin('material', 'material.struct_id', 'entry_report.struct_id')
        .leftJoin('account', 'account.id', 'entry_report.account_id')
        .select(REPORT_COLUMNS)
        .select(['material.formula', 'entry_report.account_id', 'email'])
        .select(({ ref }) =>
          shownName(ref('account.name').$notNull(), ref('account.username').$notNull())
            .$castTo<string | null>()
            .as('account'),
        )
        .$if(state !== null, (query) => query.where('answered_at', state === 'open' ? 'is' : 'is not', null))
        .$if(before !== null, (query) => query.where('entry_report.id', '<', before!))
        .orderBy('entry_report.id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toEntryReport);
    },

    counts: () =>
      db
        .selectFrom('entry_report')
        .select([
          sql<number>`count(*) FILTER (WHERE ${answeredAt} IS NULL)::int`.as('open'),
          sql<number>`count(${answeredAt})::int`.as('answered'),
        ])
        .executeTakeFirstOrThrow(),

    /** @throws AppError operate.not-found */
    async answer(by: By, id: number, answer: string): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const changed = await tx
          .updateTable('entry_report')
          .set({ answer, answered_at: now })
          .where('id', '=', id)
          .returning('account_id')
          .executeTakeFirst();
        if (!changed) throw new AppError('operate.not-found');
        await writeAudit(tx, {
          ...by,
          accountId: changed.account_id,
          event: 'report-answered',
          detail: { report: id },
        });
      });
    },
  };
}

export function reportsQueueRoutes(app: FastifyInstance, reports: ReturnType<typeof operatedReports>): void {
  serveCall(app, operateReports, async ({ body }) => {
    const [found, counts] = await Promise.all([reports.list({ ...body, limit: PAGE + 1 }), reports.counts()]);
    return { reports: found.slice(0, PAGE), has_more: found.length > PAGE, counts };
  });
  serveCall(app, operateAnswerReport, async (input) => {
    await reports.answer(askedBy(input), input.body.id, input.body.answer);
    return done;
  });
}
