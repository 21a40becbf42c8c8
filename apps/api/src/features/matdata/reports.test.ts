/** Tests reports of problems with entries, from the reader to the administrator's answer. */
import type { EntryReport } from '@unitcell/contract/matdata';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { rockSalt, storeMaterials } from '../../testing/material-factory.ts';
import { operating, UNKNOWN } from '../../testing/operating.ts';
import { eraseAccount } from '../account/delete-account.ts';

const REPORT = { struct_id: 11, message: 'The lattice constant of MgO is 4.21 Å, not 4.3 Å.' };

let test: TestApp;
let administrator: string;
beforeAll(async () => {
  test = await buildTestApp();
  administrator = await test.signInAdministrator();
  await storeMaterials(test.database, [rockSalt('Mg', 'O', 4.3, { struct_id: 11 })]);
});
afterAll(() => test.close());
const { ask, codeOf, idOf, lastAudit, somebody } = operating(() => ({ test, administrator }));

const send = (body: object, token?: string) =>
  test.post('/api/matdata/report_entry/', body, { language: 'en', ...(token ? { token } : {}) });
const ownOf = async (token: string) =>
  (await test.post('/api/matdata/reports/', { struct_id: 11 }, { token })).json<{ reports: EntryReport[] }>()
    .reports;

describe('reports of problems with entries', () => {
  it('reach the administrators, whose answer only the reporter reads', async () => {
    const reader = await somebody('13900000001');
    const other = await somebody('13900000002');
    const { report } = (await send({ ...REPORT, email: 'reader@example.org' }, reader.token)).json<{
      report: EntryReport;
    }>();
    expect(report).toMatchObject({ ...REPORT, answer: null, answered_at: null });
    expect((await ask('reports', { state: 'open' })).json()).toMatchObject({
      reports: [{ id: report.id, formula: 'MgO', account_id: reader.id, email: 'reader@example.org' }],
      counts: { open: 1, answered: 0 },
      has_more: false,
    });
    expect(await codeOf('report/answer', { id: report.id, answer: 'Corrected, thank you.' })).toEqual([
      200,
      undefined,
    ]);
    expect(await lastAudit()).toMatchObject({ event: 'report-answered', detail: { report: report.id } });
    expect(await ownOf(reader.token)).toMatchObject([{ id: report.id, answer: 'Corrected, thank you.' }]);
    expect(await ownOf(other.token)).toEqual([]);
    expect((await ask('reports', { state: 'open' })).json()).toMatchObject({
      reports: [],
      counts: { open: 0, answered: 1 },
    });
    expect(await codeOf('report/answer', { id: UNKNOWN, answer: 'x' })).toEqual([404, 'operate.not-found']);
  });

  it('of visitors need an e-mail address', async () => {
    expect((await send(REPORT)).json()).toMatchObject({ error: 'true', code: 'report.no-contact' });
    expect((await send({ ...REPORT, email: 'nobody' })).statusCode).toBe(400);
    expect((await send({ ...REPORT, email: 'reader@example.org' })).json()).toMatchObject({ error: 'false' });
  });

  it('need a known material and some words', async () => {
    const { token } = await somebody('13900000003');
    expect((await send({ ...REPORT, struct_id: 4711 }, token)).statusCode).toBe(404);
    expect((await send({ ...REPORT, message: ' wrong ' }, token)).statusCode).toBe(400);
  });

  it('are limited to ten a day per reporter', async () => {
    const { token } = await somebody('13900000004');
    for (let sent = 0; sent < 10; sent++) expect((await send(REPORT, token)).statusCode).toBe(200);
    const refused = await send(REPORT, token);
    expect(refused.statusCode).toBe(429);
    expect(refused.json<{ message: string }>().message).toContain('10 reports');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);
  });

  it('are kept without name and address when the account is deleted', async () => {
    const { token } = await somebody('13900000005');
    await send({ ...REPORT, email: 'gone@example.org' }, token);
    await test.database.db.transaction().execute(async (tx) => eraseAccount(tx, await idOf('13900000005')));
    const { reports } = (await ask('reports', { state: 'open' })).json<{ reports: object[] }>();
    expect(reports[0]).toMatchObject({ message: REPORT.message, account_id: null, email: '' });
  });
});
