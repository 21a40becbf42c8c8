/** Sign-in with a real directory (OpenLDAP's slapd on loopback), with typical attacks. */
import { type LdapServer, startLdapServer } from './ldap-server.ts';
import { Client } from 'ldapts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from './build-test-app.ts';

const PEOPLE = [
  { uid: 'curie', cn: '居里', password: 'polonium' },
  { uid: 'noether', cn: 'Emmy Noether', password: 'p@ss wörd)(*' },
  { uid: 'guest', cn: 'Guest', password: 'guest' },
];
const BASE = 'dc=institute,dc=example';

describe('sign-in by LDAP', () => {
  let ldap: LdapServer;
  let test: TestApp;

  beforeAll(async () => {
    ldap = await startLdapServer(PEOPLE);
    const client = new Client({ url: ldap.url });
    await client.bind(ldap.env.LDAP_BIND_DN!, ldap.env.LDAP_BIND_PASSWORD);
    // Entries are added over the network, so that the directory sets memberOf on the people.
    const member = (uid: string) => `uid=${uid},ou=people,${BASE}`;
    for (const [cn, people] of [
      ['staff', ['curie']],
      ['members', ['curie', 'noether']],
    ] as const)
      await client.add(`cn=${cn},ou=groups,${BASE}`, {
        objectClass: 'groupOfNames',
        cn,
        member: people.map(member),
      });
    await client.unbind();
    test = await buildTestApp({
      env: {
        ...ldap.env,
        LDAP_INTERNAL_GROUPS: 'staff',
        LDAP_ALLOWED_GROUPS: `cn=members,ou=groups,${BASE}`,
      },
    });
  });
  afterAll(async () => {
    await test.close();
    await ldap.close();
  });
  beforeEach(() => test.database.pool.query('DELETE FROM rate_bucket'));

  const logIn = (username: string, password: string, on = test) =>
    on.post('/api/arkid/ldap/login/', { username, password });
  const profileOf = async (answer: Awaited<ReturnType<typeof logIn>>) =>
    (await test.get('/api/arkid/get_user_infor/', { token: answer.json<{ token: string }>().token })).json<{
      userid: number;
      name: string;
      user_type: number;
    }>();
  const accounts = async () =>
    (await test.database.pool.query('SELECT count(*)::int AS n FROM account')).rows[0].n;

  it('creates an account with name and role from the directory at the first sign-in', async () => {
    const curie = await profileOf(await logIn('curie', 'polonium'));
    expect(curie).toMatchObject({ name: '居里', user_type: 2 });
    expect((await profileOf(await logIn('  CURIE ', 'polonium'))).userid).toBe(curie.userid);
    expect(await profileOf(await logIn('noether', 'p@ss wörd)(*'))).toMatchObject({ user_type: 1 });
  });

  it('also finds groups through their lists of members', async () => {
    const env = { ...ldap.env, LDAP_INTERNAL_GROUPS: 'staff', LDAP_GROUP_FILTER: '(member={dn})' };
    const other = await buildTestApp({ env });
    const { token } = (await logIn('curie', 'polonium', other)).json<{ token: string }>();
    const profile = await other.get('/api/arkid/get_user_infor/', { token });
    expect(profile.json()).toMatchObject({ user_type: 2 });
    await other.close();
  });

  it('refuses a person who is in none of the allowed groups', async () => {
    const before = await accounts();
    expect((await logIn('guest', 'guest')).json()).toMatchObject({ code: 'directory.not-allowed' });
    expect(await accounts()).toBe(before);
    const audit = await test.database.pool.query(
      'SELECT event, detail FROM audit_log ORDER BY id DESC LIMIT 1',
    );
    expect(audit.rows).toEqual([{ event: 'login-failed', detail: { via: 'ldap', reason: 'not-allowed' } }]);
  });

  it.each([
    ['a wrong password', 'curie', 'radium'],
    ['the password of another', 'curie', 'guest'],
    ['a name nobody has', 'nobody', 'polonium'],
    ['a star', '*', 'polonium'],
    ['part of a name', 'cur*', 'polonium'],
    ['a filter that is always true', '*)(objectClass=*', 'polonium'],
    ['a filter within', 'curie)(|(uid=*', 'polonium'],
    ['a way out of the filter', 'x))(|(uid=curie', 'polonium'],
    ['a code of a filter', 'curi\\65', 'polonium'],
    ['a zero byte', 'curie\u0000', 'polonium'],
    ['a place in the directory', `uid=curie,ou=people,${BASE}`, 'polonium'],
    ['blanks for a password', 'curie', '   '],
  ])('refuses %s with the same message', async (_how, username, password) => {
    const before = await accounts();
    const answer = await logIn(username, password);
    expect(answer.json()).toMatchObject({ error: 'true' });
    expect(answer.json<{ token?: string }>().token).toBeUndefined();
    expect(['directory.wrong', 'request.invalid', 'request.zero-byte']).toContain(
      answer.json<{ code: string }>().code,
    );
    expect(await accounts()).toBe(before);
  });

  it('never sends an empty password, which would be an anonymous bind', async () => {
    const answer = await logIn('curie', '');
    expect(answer.json<{ token?: string }>().token).toBeUndefined();
    expect(answer.json()).toMatchObject({ error: 'true' });
  });

  it('limits password guesses at one name without affecting others', async () => {
    for (let i = 0; i < 5; i++) await logIn('noether', `guess ${i}`);
    expect((await logIn('Noether', 'p@ss wörd)(*')).json()).toMatchObject({ code: 'login.too-many-here' });
    expect((await logIn('curie', 'polonium')).json<{ token: string }>().token).toMatch(/^ey/);
  });

  it('counts guesses for the entry, however its name is spelt', async () => {
    const spellings = ['curie', 'CURIE', ' curie', 'curie ', '  Curie ', 'cuRie'];
    const answers = [];
    for (const name of spellings) answers.push((await logIn(name, 'wrong')).json<{ code: string }>().code);
    expect(answers).toEqual([...Array.from({ length: 5 }, () => 'directory.wrong'), 'login.too-many-here']);
  });

  it('reports an unreachable directory, and works again when the directory is back', async () => {
    await ldap.stop();
    expect((await logIn('curie', 'polonium')).json()).toMatchObject({ code: 'directory.away' });
    expect(test.logLines.join('\n')).toContain('LDAP_URL');
    await ldap.start();
    expect((await logIn('curie', 'polonium')).json<{ token: string }>().token).toMatch(/^ey/);
  });

  it('logs neither passwords nor names', () => {
    expect(test.logLines.join('\n')).not.toMatch(/polonium|radium|reader-password|wörd/);
  });
});
