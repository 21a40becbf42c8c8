import { createHash } from 'node:crypto';
import {
  beginsWithZeros,
  partText,
  PROOF_PARTS,
  type ProofOfWork,
  writeProof,
} from '@unitcell/contract/account';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { PROOF_LIFETIME_SECONDS, proofsOfWork } from './proof-of-work.ts';

const METRICS_TOKEN = 'a-token-for-figures';
const HERE = '192.0.2.7';
let test: TestApp;
let nextNumber = 0;
const freshMobile = (): string => `136${String(nextNumber++).padStart(8, '0')}`;

beforeAll(async () => {
  test = await buildTestApp({ env: { LIMIT_PROOF_BITS: '6', METRICS_TOKEN } });
});
afterAll(() => test.close());
beforeEach(() => test.database.pool.query('DELETE FROM rate_bucket'));

/** Sets the number of text messages left for strangers (of 1,200), or the level of another budget. */
const leave = (tokens: number, key = 'sms:strangers') =>
  test.database.pool.query(`INSERT INTO rate_bucket (key, tokens, updated_at) VALUES ($1, $2, now())`, [
    key,
    tokens,
  ]);

interface Answer {
  readonly result?: string;
  readonly code?: string;
  readonly message: string;
  readonly proof?: ProofOfWork;
}

async function ask(mobile: string, proof?: string, { from = HERE, purpose = 'register' } = {}) {
  const answer = await test.app.inject({
    method: 'POST',
    url: `/api/arkid/${purpose}_request_sm/`,
    remoteAddress: from,
    payload: { mobile, ...(proof === undefined ? {} : { proof }) },
    headers: { 'accept-language': 'en' },
  });
  return answer.json<Answer>();
}

/** Finds nonces whose digests begin with at least `bits` but fewer than `limit` zero bits. */
function solve({ challenge, bits }: ProofOfWork, limit = 64): string {
  const numbers = Array.from({ length: PROOF_PARTS }, (_, part) => {
    for (let number = 0; ; number++) {
      const digest = createHash('sha256')
        .update(partText(challenge, part, number))
        .digest();
      if (beginsWithZeros(digest, bits) && !beginsWithZeros(digest, limit)) return number;
    }
  });
  return writeProof(challenge, numbers);
}

const messagesTo = (mobile: string) => test.messages.filter((message) => message.mobile === mobile).length;

describe('a code by text message', () => {
  it('needs no proof of work while few messages are sent, and ignores a given proof', async () => {
    expect(await ask(freshMobile())).toMatchObject({ result: 'ok' });
    expect(await ask(freshMobile(), 'nonsense')).toMatchObject({ result: 'ok' });
  });

  it.each([
    ['strangers', 'sms:strangers', [590, 290, 70]],
    ['all', 'sms:all', [990, 490, 120]],
    ['the network', 'sms:network:192.0.2.0/24', [99, 49, 12]],
  ] as const)('costs the more the less is left of the budget of %s', async (_name, key, left) => {
    const bits: (number | undefined)[] = [];
    for (const tokens of left) {
      await test.database.pool.query('DELETE FROM rate_bucket');
      await leave(tokens, key);
      bits.push((await ask(freshMobile())).proof?.bits);
    }
    expect(bits).toEqual([6, 7, 8]);
  });

  it('is sent for a proof of work; without one the response explains the task to scripts', async () => {
    await leave(500);
    const mobile = freshMobile();
    const refused = await ask(mobile);
    expect(refused).toMatchObject({ error: 'true', code: 'login.proof-needed' });
    expect(refused.message).toMatch(/proof of work.*a program solves the task in "proof"/);
    expect(messagesTo(mobile)).toBe(0);
    expect(await ask(mobile, solve(refused.proof!))).toMatchObject({ result: 'ok' });
    expect(messagesTo(mobile)).toBe(1);
  });

  it('is sent once for one proof, even for two concurrent requests', async () => {
    await leave(500);
    const mobile = freshMobile();
    const proof = solve((await ask(mobile)).proof!);
    const twice = await Promise.all([ask(mobile, proof), ask(mobile, proof)]);
    expect(messagesTo(mobile)).toBe(1);
    expect(twice.filter(({ result }) => result === 'ok')).toHaveLength(1);
    await test.database.pool.query(`DELETE FROM rate_bucket WHERE key LIKE 'sms:phone:%'`);
    expect(await ask(mobile, proof)).toMatchObject({ error: 'true', code: 'login.wrong-proof' });
  });

  it.each([
    ['another number', { mobile: '13600009999' }],
    ['another purpose', { purpose: 'bind' }],
    ['another network', { from: '198.51.100.7' }],
  ])('is not sent for a proof of %s', async (_name, other) => {
    await leave(500);
    const mobile = freshMobile();
    const proof = solve((await ask(mobile)).proof!);
    const { mobile: to = mobile, ...options } = other as { mobile?: string; purpose?: string; from?: string };
    expect(await ask(to, proof, options)).toMatchObject({ error: 'true', code: 'login.wrong-proof' });
    expect(await ask(mobile, proof, { from: '192.0.2.200' })).toMatchObject({ result: 'ok' });
  });

  it('is not sent if the proof contains too little work or the challenge was edited to be easier', async () => {
    await leave(500);
    const mobile = freshMobile();
    const { proof: asked } = await ask(mobile);
    const tooEasy = solve({ ...asked!, bits: 3 }, 6);
    const rewritten = solve({ ...asked!, bits: 3, challenge: asked!.challenge.replace(/^6\./, '3.') });
    for (const proof of [
      tooEasy,
      rewritten,
      `${asked!.challenge}:1,2`,
      asked!.challenge,
      ':',
      'x'.repeat(512),
    ])
      expect(await ask(mobile, proof)).toMatchObject({ error: 'true', code: 'login.wrong-proof' });
    expect(messagesTo(mobile)).toBe(0);
  });

  it('is refused before any work is required if it would be refused afterwards anyway', async () => {
    await leave(0);
    expect(await ask(freshMobile())).toMatchObject({ code: 'login.sms-spent' });
    await test.database.pool.query('DELETE FROM rate_bucket');
    const mobile = freshMobile();
    await ask(mobile);
    await test.database.pool.query(`UPDATE rate_bucket SET tokens = 500 WHERE key = 'sms:strangers'`);
    expect(await ask(mobile)).toMatchObject({ code: 'login.too-soon' });
  });

  it('is counted in the metrics of the operator: remaining budget and required proofs', async () => {
    await leave(300);
    await ask(freshMobile());
    const { body } = await test.app.inject({
      url: '/metrics',
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    });
    expect(body).toMatch(/unitcell_sms_share_left\{budget="strangers"\} 0\.25/);
    expect(body).toMatch(/unitcell_refusals_total\{code="login\.proof-needed"\} [1-9]/);
  });
});

describe('a proof-of-work challenge', () => {
  it('is valid for five minutes', () => {
    let now = 1_700_000_000_000;
    const proofs = proofsOfWork(Buffer.alloc(32, 7), () => now);
    const whom = { mobile: '13600000000', purpose: 'login', address: HERE } as const;
    const proof = solve(proofs.ask(4, whom));
    now += (PROOF_LIFETIME_SECONDS - 1) * 1000;
    expect(proofs.check(proof, whom)).not.toBeNull();
    now += 1000;
    expect(proofs.check(proof, whom)).toBeNull();
  });
});
