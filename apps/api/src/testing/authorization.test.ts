/**
 * Tests authorization: another person makes every call that names a person's object (a session, a picture, a
 * submission, a confirmation, a match). It must be refused and leave the owner's data unchanged. Add every new
 * call here.
 */
import { calls } from '@unitcell/contract';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from './build-test-app.ts';

const OWNER = '13700000001';
const ATTACKER = '13700000002';

let test: TestApp;
let owner: string;
let attacker: string;
let thing: Record<'session' | 'avatar' | 'login' | 'bind' | 'register', string> &
  Record<'collection' | 'search' | 'key', number>;
let submission: number;
let design: number;

/** Confirms a number, with or without a token. */
async function confirm(
  mobile: string,
  purpose: 'login' | 'bind' | 'register',
  token?: string,
): Promise<string> {
  const options = token === undefined ? {} : { token };
  await test.database.pool.query('DELETE FROM rate_bucket');
  await test.post(`/api/arkid/${purpose}_request_sm/`, { mobile }, options);
  const code = test.messages.findLast((message) => message.mobile === mobile)?.code;
  const answer = await test.post(`/api/arkid/${purpose}_get_sms_token/`, { mobile, code }, options);
  return answer.json<{ sms_token: string }>().sms_token;
}

async function uploadedAvatar(token: string): Promise<string> {
  const form = new FormData();
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#1d4e89' } })
    .png()
    .toBuffer();
  form.set('file', new Blob([new Uint8Array(picture)]), 'me.png');
  const body = new Response(form);
  const answer = await test.app.inject({
    method: 'POST',
    url: '/api/arkid/upload_avatar/',
    headers: { authorization: `token ${token}`, 'content-type': body.headers.get('content-type') ?? '' },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  return answer.json<{ file_url: string }>().file_url;
}

const lithiumFluoride = {
  lattice: {
    matrix: [
      [0, 2.01, 2.01],
      [2.01, 0, 2.01],
      [2.01, 2.01, 0],
    ],
  },
  sites: [
    { species: [{ element: 'Li', occu: 1 }], abc: [0, 0, 0] },
    { species: [{ element: 'F', occu: 1 }], abc: [0.5, 0.5, 0.5] },
  ],
};

beforeAll(async () => {
  test = await buildTestApp();
  owner = await test.signIn(OWNER);
  attacker = await test.signIn(ATTACKER);
  const { id } = (
    await test.post(
      '/api/run4u/run4u_submit/',
      { submit: true, structure: lithiumFluoride },
      { token: owner },
    )
  ).json<{ id: number }>();
  submission = id;
  const { rows: designs } = await test.database.pool.query<{ id: number }>(
    `INSERT INTO design_run (account_id, request) SELECT id, '{"elements": ["Ca", "O"], "nelements": 2}' FROM account WHERE mobile = $1 RETURNING id`,
    [OWNER],
  );
  design = designs[0]!.id;
  const avatar = await uploadedAvatar(owner);
  await test.post('/api/arkid/change_infor/', { avatar, name: 'Lin Wei' }, { token: owner });
  await test.database.pool.query(
    `INSERT INTO social_account (account_id, provider, provider_user_id) SELECT id, 'github', '583231' FROM account WHERE mobile = $1`,
    [OWNER],
  );
  const { collection } = (
    await test.post('/api/collections/save/', { name: 'Oxides' }, { token: owner })
  ).json<{ collection: { id: number } }>();
  const { search } = (
    await test.post(
      '/api/collections/save_search/',
      { name: 'Gaps', filter: 'band_gap > 2' },
      { token: owner },
    )
  ).json<{ search: { id: number } }>();
  const { rows: keys } = await test.database.pool.query<{ id: number }>(
    `INSERT INTO api_key (account_id, label, prefix, key_hash, scopes, rate_per_minute, expires_at)
     SELECT id, 'notebook', 'uck_test', '\\x00', '{matdata}', 60, now() + interval '1 day' FROM account WHERE mobile = $1 RETURNING id`,
    [OWNER],
  );
  const sessions = await test.get('/api/arkid/sessions/', { token: owner });
  thing = {
    session: sessions.json<{ sessions: { id: string }[] }>().sessions[0]!.id,
    avatar,
    collection: collection.id,
    search: search.id,
    key: keys[0]!.id,
    login: await confirm(OWNER, 'login', owner),
    bind: await confirm(OWNER, 'bind', owner),
    register: await confirm('13700000003', 'register'),
  };
});
afterAll(() => test.close());
beforeEach(() => test.database.pool.query('DELETE FROM rate_bucket'));

/** The attacker's input for each call. */
const attacks: Readonly<Record<string, () => object | Promise<object>>> = {
  revokeSession: () => ({ session_id: thing.session }),
  changeInfor: () => ({ avatar: thing.avatar }),
  changeMobile: async () => ({
    old_mobile_sms_token: thing.login,
    new_mobile_sms_token: await confirm('13700000009', 'bind', attacker),
  }),
  deleteAccount: () => ({ sms_token: thing.bind }),
  secondFactorEnroll: () => ({ sms_token: thing.bind }),
  githubUnbind: () => ({ sms_token: thing.bind }),
  wechatUnbind: () => ({ sms_token: thing.bind }),
  githubBind: () => ({ sms_token: thing.bind, github_id: 'made.up' }),
  wechatBind: () => ({ sms_token: thing.bind, wechat_id: 'made.up' }),
  githubRegister: () => ({ mobile: ATTACKER, sms_token: thing.register, github_id: 'made.up' }),
  wechatRegister: () => ({ mobile: ATTACKER, sms_token: thing.register, wechat_id: 'made.up' }),
  loginCheckSm: () => ({ mobile: ATTACKER, sms_token: thing.login }),
  registerCheckSm: () => ({ mobile: '13700000008', sms_token: thing.register }),
  createApiKey: () => ({ sms_token: thing.login, label: 'mine', scopes: ['matdata'], days: 1 }),
  revokeApiKey: () => ({ id: thing.key }),
  saveCollection: () => ({ id: thing.collection, name: 'mine now' }),
  changeCollection: () => ({ id: thing.collection, add: [1] }),
  shareCollection: () => ({ id: thing.collection, is_shared: true }),
  removeCollection: () => ({ id: thing.collection }),
  seeSearch: () => ({ id: thing.search }),
  removeSearch: () => ({ id: thing.search }),
  getDesign: () => ({ id: design }),
  cancelDesign: () => ({ id: design }),
  designStructure: () => ({ id: design, rank: 1 }),
  run4uDetail: () => ({ id: submission }),
  run4uCancel: () => ({ id: submission }),
  run4uResubmit: () => ({ id: submission }),
};

/**
 * Calls that name a match by an id chosen by the caller; `features/xrd` tests that ids of other people are
 * unknown.
 */
const NAMED_BY_THE_CALLER = new Set(['match_id']);
const OF_A_PERSON = /^(?:id|.*_id|avatar|(?:.*_)?sms_token)$/;
/** Ids of objects without an owner: materials, and public names of grids and tables. */
const PUBLIC_NAMES = new Set(['struct_id', 'grid_id']);

const fieldsOf = (request: unknown): string[] => Object.keys((request as { shape?: object }).shape ?? {});

describe("another person's objects", () => {
  it('are tested with every call that takes the id of an object', () => {
    // Administrators may act on everybody. operate.test.ts makes each of their calls as another user.
    const ofPeople = calls.filter(({ access }) => access !== 'administrator');
    const takers = ofPeople.filter(({ request }) =>
      fieldsOf(request).some(
        (field) => OF_A_PERSON.test(field) && !PUBLIC_NAMES.has(field) && !NAMED_BY_THE_CALLER.has(field),
      ),
    );
    expect(takers.map(({ name }) => name).sort()).toEqual(Object.keys(attacks).sort());
  });

  /** All data of the owner, and their budgets. */
  async function ownerData(): Promise<unknown> {
    const { rows } = await test.database.pool.query(
      `SELECT to_jsonb(account) AS account,
              (SELECT jsonb_agg(to_jsonb(session) ORDER BY session.id) FROM session WHERE account_id = account.id) AS sessions,
              (SELECT jsonb_agg(to_jsonb(social_account)) FROM social_account WHERE account_id = account.id) AS social,
              (SELECT jsonb_agg(to_jsonb(api_key)) FROM api_key WHERE account_id = account.id) AS keys,
              (SELECT jsonb_agg(to_jsonb(collection)) FROM collection WHERE account_id = account.id) AS collections,
              (SELECT jsonb_agg(to_jsonb(saved_search)) FROM saved_search WHERE account_id = account.id) AS searches,
              (SELECT jsonb_agg(to_jsonb(design_run)) FROM design_run WHERE account_id = account.id) AS designs,
              (SELECT jsonb_agg(to_jsonb(submission)) FROM submission WHERE account_id = account.id) AS submissions,
              (SELECT jsonb_agg(to_jsonb(sms_code) ORDER BY sms_code.id) FROM sms_code WHERE mobile = account.mobile) AS confirmations
       FROM account WHERE mobile = $1`,
      [OWNER],
    );
    return rows[0];
  }

  it.each(calls.filter(({ name }) => name in attacks))(
    'are protected from $name, and no budget of the owner is charged',
    async ({ name, path }) => {
      const body = await attacks[name]!();
      const before = await ownerData();
      const answer = await test.post(path, body, { token: attacker });
      expect({ status: answer.statusCode, error: answer.json<{ error?: string }>().error }).toEqual({
        status: expect.toSatisfy((status: number) => status === 200 || status === 404),
        error: 'true',
      });
      expect(answer.body).not.toContain(OWNER);
      expect(await ownerData()).toEqual(before);
    },
  );

  it('still work for their owner', async () => {
    const detail = await test.post('/api/run4u/run4u_detail/', { id: submission }, { token: owner });
    expect(detail.json()).toMatchObject({ row: { formula: 'LiF' } });
    const unbound = await test.post('/api/arkid/github/unbind/', { sms_token: thing.bind }, { token: owner });
    expect(unbound.json()).toMatchObject({ error: 'false' });
  });
});
