import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../testing/build-test-app.ts';

let test: TestApp;
let token: string;

beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
});
afterAll(() => test.close());

const said = async (path: string, body: unknown, language: string) => {
  const answer = await test.post(path, body, { token, language });
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'request.invalid']);
  return String(answer.json().message);
};

describe('a request that violates the contract', () => {
  const detail = '/api/matdata/get_struct_detail/';
  it.each([
    [detail, {}, '"struct_id" is missing', '缺少字段“struct_id”'],
    [
      detail,
      { struct_id: -1 },
      '"struct_id" is -1; expected at least 0',
      '“struct_id”的值是 -1，应为不小于 0',
    ],
    [detail, { struct_id: {} }, '"struct_id" is {}; expected a number', '“struct_id”的值是 {}，应为数字'],
    [detail, { struct_id: 1, struct_Id: 2 }, 'the nearest is "struct_id"', '最接近的是“struct_id”'],
    ['/api/matdata/search_by_elements/', { include: 5 }, '"include" is 5; expected a text', '应为文本'],
    [
      '/api/matdata/search_by_elements/',
      { include: 'Ti', limit: 2 },
      'has no field "limit"',
      '没有字段“limit”',
    ],
    ['/api/matdata/search_by_elements/', [], 'expected an object', '应为对象'],
    [
      '/api/phase_diagram/phase_diagram_handle/',
      { include: 'Li O', reservoir: { gas: 'O2', temperature: 1000, pressure: 1, secnd: null } },
      'no field "secnd"; the nearest is "second"',
      '最接近的是“second”',
    ],
  ])('%s %j', async (path, body, english, chinese) => {
    expect(await said(path, body, 'en')).toContain(english);
    const inChinese = await said(path, body, 'zh');
    expect(inChinese).toContain(chinese);
    expect(inChinese).not.toMatch(/invalid|expected|Unrecognized/i);
  });

  it.each([
    ['cel=primitive', 'the nearest is "cell"'],
    ['cell=huge', '"cell" is "huge"'],
  ])('is explained for the query ?%s', async (query, sentence) => {
    const answer = await test.get(`/api/materials/1.cif?${query}`, { token, language: 'en' });
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'request.invalid']);
    expect(answer.json().message).toContain(sentence);
  });

  it('is answered in the most preferred available language', async () => {
    expect(await said(detail, {}, 'en;q=0.2, zh;q=0.9')).toContain('缺少');
    expect(await said(detail, {}, 'de, en-GB;q=0.8, zh;q=0.1')).toContain('missing');
    expect(await said(detail, {}, 'zh;q=0, en;q=0.1')).toContain('missing');
  });
});

describe('a token', () => {
  const ask = (headers: Record<string, string>) =>
    test.app.inject({
      method: 'POST',
      url: '/api/matdata/search_by_elements/',
      headers: { 'content-type': 'application/json', ...headers },
      payload: '{"include":"Ti"}',
    });
  it.each(['token', 'Token', 'Bearer', 'bearer'])('is accepted as "Authorization: %s …"', async (scheme) => {
    expect((await ask({ authorization: `${scheme} ${token}` })).statusCode).toBe(200);
  });
  it('is accepted as X-API-KEY', async () => {
    expect((await ask({ 'x-api-key': token })).statusCode).toBe(200);
    const wrong = await ask({ 'x-api-key': 'uck_nobody' });
    expect([wrong.statusCode, wrong.json().code]).toEqual([401, 'auth.invalid']);
  });
});

describe('an address', () => {
  it('returns the allowed methods when it is called with a wrong method', async () => {
    const answer = await test.get('/api/matdata/search_by_elements/', { token });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'POST']);
    expect(answer.json()).toMatchObject({ code: 'request.method', message: expect.stringContaining('POST') });
  });
});
