/**
 * A simulated user for the soak test, the composition and the load test: sends requests, registers with the
 * code that the site prints, measures halite.
 */
import { setTimeout as pause } from 'node:timers/promises';

const CODE_MS = 30_000;

export interface Sent {
  readonly token?: string;
  /** Client address as a trusted proxy reports it, so that users do not share the budget of one address. */
  readonly from?: string;
  readonly body?: object | FormData;
}

/** By POST if there is a body. */
export function send(url: string, { token, from, body }: Sent = {}, timeoutMs = 60_000): Promise<Response> {
  const isForm = body instanceof FormData;
  return fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: {
      'accept-language': 'en',
      ...(token ? { authorization: `token ${token}` } : {}),
      ...(from ? { 'x-forwarded-for': from } : {}),
      ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
    },
    body: body && !isForm ? JSON.stringify(body) : (body ?? null),
    signal: AbortSignal.timeout(timeoutMs),
  });
}

/** Waits until the condition is true. @returns the elapsed seconds */
export async function until(
  what: string,
  seconds: number,
  isTrue: () => Promise<boolean> | boolean,
): Promise<number> {
  const begun = performance.now();
  while (!(await Promise.resolve(isTrue()).catch(() => false))) {
    if (performance.now() - begun > seconds * 1000) throw new Error(`${what}: not within ${seconds} s`);
    await pause(100);
  }
  return (performance.now() - begun) / 1000;
}

export const isReady = (site: string): Promise<boolean> =>
  send(`${site}/api/ready`, {}, 5000).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Registers a number.
 * @param ask sends one call; null when it was refused
 * @param printed the site's output so far
 * @returns the token; null when a step was refused or no code was printed
 */
export async function register(
  mobile: string,
  ask: (path: string, body: object) => Promise<Readonly<Record<string, unknown>> | null>,
  printed: () => string | Promise<string>,
): Promise<string | null> {
  const step = (name: string, more: object) => ask(`/api/arkid/register_${name}/`, { mobile, ...more });
  if ((await step('request_sm', {}))?.result !== 'ok') return null;
  const wanted = new RegExp(`SMS code for ${mobile.slice(0, 3)}\\*{4}${mobile.slice(-4)} .*: (\\d+)`, 'g');
  const end = performance.now() + CODE_MS;
  let code: string | undefined;
  while (!(code = [...(await printed()).matchAll(wanted)].at(-1)?.[1])) {
    if (performance.now() > end) return null;
    await pause(100);
  }
  const sms_token = (await step('get_sms_token', { code }))?.sms_token;
  const token = sms_token === undefined ? null : (await step('check_sm', { sms_token }))?.token;
  return typeof token === 'string' ? token : null;
}

/** Halite as measured by a diffractometer with Cu Kα, 10° to 80° in steps of 0.05°. */
export function halite(): { readonly x: number[]; readonly y: number[]; readonly upload: FormData } {
  const lines = [27.35, 31.69, 45.45, 53.86, 56.47, 66.22, 75.29];
  const heights = [9, 100, 55, 2, 15, 7, 10];
  const x = Array.from({ length: 1401 }, (_, i) => 10 + i * 0.05);
  const y = x.map((at) =>
    lines.reduce((sum, line, k) => sum + (heights[k] ?? 0) * Math.exp(-(((at - line) / 0.12) ** 2)), 3),
  );
  const upload = new FormData();
  const rows = x.map((at, i) => `${at.toFixed(2)} ${y[i]?.toFixed(2)}`);
  upload.set('xrd-file', new Blob([rows.join('\n')]), 'halite.xy');
  return { x, y, upload };
}

/** The request that matches a pattern. */
export const matchOf = ({ x, y }: { readonly x: unknown; readonly y: unknown }): object => ({
  xrd_data: { x, y, name: 'pristine', background_removed: true },
  elements: 'only: Na Cl',
  radiation: 'CuKa',
  match_way: 'DTW',
});
