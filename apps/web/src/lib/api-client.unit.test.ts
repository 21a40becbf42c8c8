import { getUserInfor, searchByElements } from '@unitcell/contract/calls';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, callApi, expectOutcome, queryClient } from './api-client.ts';
import { currentToken, storeToken } from './session.ts';

const fetchMock = vi.fn<typeof fetch>();
const answer = (body: unknown, status = 200, headers: Record<string, string> = {}): void => {
  fetchMock.mockResolvedValueOnce(new Response(JSON.stringify(body), { status, headers }));
};

beforeEach(() => {
  vi.stubGlobal('fetch', fetchMock);
  fetchMock.mockReset();
  storeToken('abc');
});
afterEach(() => {
  storeToken(null);
});

const search = () => callApi(searchByElements, { include: 'Ti-O' });

describe('callApi', () => {
  it('sends the body, the token and the language', async () => {
    answer({ error: 'false', message: '', results: [], len: 0 });
    await search();
    const [path, init] = fetchMock.mock.calls[0] ?? [];
    expect(path).toBe('/api/matdata/search_by_elements/');
    const headers = new Headers(init?.headers);
    expect(headers.get('Authorization')).toBe('token abc');
    expect(headers.get('Accept-Language')).toBe('zh-CN');
    expect(init?.body).toBe('{"include":"Ti-O"}');
  });

  it('forgets an expired token, but no other token', async () => {
    answer({ error: 'true', message: 'x', code: 'auth', detail: 'Token has expired' }, 401);
    await expect(callApi(getUserInfor, undefined)).rejects.toMatchObject({ kind: 'login', status: 401 });
    expect(currentToken()).toBeNull();
    storeToken('def');
    answer({ error: 'true', message: 'x', code: 'auth', detail: 'Something else' }, 401);
    await expect(callApi(getUserInfor, undefined)).rejects.toBeInstanceOf(ApiError);
    expect(currentToken()).toBe('def');
  });

  it('keeps a token that replaced the expired one in the meantime', async () => {
    fetchMock.mockImplementationOnce(async () => {
      storeToken('newer');
      return new Response(JSON.stringify({ detail: 'Invalid token' }), { status: 401 });
    });
    await expect(callApi(getUserInfor, undefined)).rejects.toBeInstanceOf(ApiError);
    expect(currentToken()).toBe('newer');
  });

  it('reports the waiting time, the fault id, and an unreachable server', async () => {
    answer({ error: 'true', message: 'slow', code: 'limit' }, 429, { 'Retry-After': '30' });
    await expect(search()).rejects.toMatchObject({ kind: 'limited', retryAfter: 30 });
    answer({ error: 'true', message: 'oops', code: 'x', error_id: 'E7' }, 500);
    await expect(search()).rejects.toMatchObject({ kind: 'broken', errorId: 'E7' });
    fetchMock.mockRejectedValueOnce(new TypeError('network'));
    await expect(search()).rejects.toMatchObject({ kind: 'offline', status: 0 });
  });

  it('treats a truncated answer as no answer', async () => {
    const start = (controller: ReadableStreamDefaultController): void =>
      controller.error(new TypeError('terminated'));
    fetchMock.mockResolvedValueOnce(new Response(new ReadableStream({ start })));
    await expect(search()).rejects.toMatchObject({ kind: 'offline', status: 0 });
  });

  it('rejects an answer that is not an object', async () => {
    fetchMock.mockResolvedValueOnce(new Response('<html>'));
    await expect(search()).rejects.toBeInstanceOf(ApiError);
  });

  it('passes on an abort', async () => {
    const controller = new AbortController();
    controller.abort();
    const abort = new DOMException('gone', 'AbortError');
    fetchMock.mockRejectedValueOnce(abort);
    await expect(callApi(searchByElements, { include: 'Ti' }, { signal: controller.signal })).rejects.toBe(
      abort,
    );
  });
});

describe('expectOutcome', () => {
  it('throws the message of a refusal', () => {
    expect(() => expectOutcome({ error: 'true', message: 'No such element.' })).toThrow('No such element.');
    expect(expectOutcome({ error: 'false', message: '', len: 1 }).len).toBe(1);
  });
});

it('only a lost connection is retried, twice', () => {
  const { retry } = queryClient.getDefaultOptions().queries ?? {};
  const tries = (error: Error) =>
    [0, 1, 2].map((failures) => typeof retry === 'function' && retry(failures, error));
  expect(tries(new ApiError(0, ''))).toEqual([true, true, false]);
  expect(tries(new ApiError(500, ''))).toEqual([false, false, false]);
  expect(tries(new Error('a fault of the page'))).toEqual([false, false, false]);
});

it('a new session does not see what an expired session has read', () => {
  queryClient.setQueryData(['collections'], 'those of the first account');
  storeToken(null);
  storeToken('of another account');
  expect(queryClient.getQueryData(['collections'])).toBeUndefined();
});
