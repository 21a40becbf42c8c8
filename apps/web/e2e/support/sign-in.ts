/** Tokens without the login overlay, for journeys that test something else. */
import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '@unitcell/tools/database';
import { TEST_TIMEOUT_MS } from '@unitcell/tools/timeouts';
import type { TestSite } from '@unitcell/tools/test-site';

async function post(url: string, body: object): Promise<Record<string, string>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const said = (await answer.json()) as Record<string, string>;
  if (said.error === 'true') throw new Error(`${url} refused: ${JSON.stringify(said)}`);
  return said;
}

/** Waits for the code that the console provider prints. */
export async function printedCode(site: TestSite, mobile: string): Promise<string> {
  for (const end = Date.now() + TEST_TIMEOUT_MS; Date.now() < end; await delay(50)) {
    const code = site.smsCode(mobile);
    if (code) return code;
  }
  throw new Error(`no code was printed for ${mobile}`);
}

/**
 * Resets the hourly limits of this host. All journeys come from one host, and the speed of the machine decides how many
 * run within an hour.
 */
export const refillBudgets = (site: TestSite) =>
  withClient(site.databaseUrl, (client) =>
    client.query(`DELETE FROM rate_bucket WHERE key ~ '^(sms|try|asked):(host|network|all|strangers)'`),
  );

/** Registers a number and returns its token. */
export async function tokenFor(site: TestSite, mobile = '13900000001'): Promise<string> {
  await refillBudgets(site);
  const call = (name: string, body: object) => post(`${site.url}/api/arkid/${name}/`, { mobile, ...body });
  await call('register_request_sm', {});
  const { sms_token } = await call('register_get_sms_token', { code: await printedCode(site, mobile) });
  const { token } = await call('register_check_sm', { sms_token });
  if (!token) throw new Error('the registration gave no token');
  return token;
}

/** Deletes all limits: codes for one phone must be a minute apart, and the journeys do not wait for that. */
export const forgetBudgets = (site: TestSite) =>
  withClient(site.databaseUrl, (client) => client.query('DELETE FROM rate_bucket'));
