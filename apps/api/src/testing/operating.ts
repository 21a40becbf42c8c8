/** Calls of the operator's page for tests. */
import type { LightMyRequestResponse } from 'fastify';
import type { TestApp } from './build-test-app.ts';
import { accountRepository } from '../features/account/account.repository.ts';

export const PREFIX = '/api/operate/';
export const UNKNOWN = 999_999;
/** Status and code of a successful call. */
export const done = [200, undefined];

/**
 * @param site evaluated at each call, because the site opens later and its administrator changes during the
 * tests
 */
export function operating(site: () => { readonly test: TestApp; readonly administrator: string }) {
  const idOf = async (mobile: string): Promise<number> =>
    (await accountRepository(site().test.database).idByMobile(mobile))!;
  const ask = (
    path: string,
    body: object = {},
    options: { token?: string; language?: string } = {},
  ): Promise<LightMyRequestResponse> =>
    site().test.post(`${PREFIX}${path}/`, body, { token: site().administrator, ...options });
  const codeOf = async (path: string, body: object = {}, options: { token?: string } = {}) => {
    const answer = await ask(path, body, options);
    return [answer.statusCode, answer.json<{ code?: string }>().code];
  };
  /** A new account with a session. */
  async function somebody(mobile: string): Promise<{ id: number; token: string }> {
    const { test } = site();
    await test.database.pool.query('DELETE FROM rate_bucket');
    const token = await test.signIn(mobile);
    return { id: await idOf(mobile), token };
  }
  const lastAudit = async () => {
    const { rows } = await site().test.database.pool.query(
      'SELECT account_id, actor_id, event, detail FROM audit_log ORDER BY id DESC LIMIT 1',
    );
    return rows[0];
  };
  return { idOf, ask, codeOf, somebody, lastAudit };
}
