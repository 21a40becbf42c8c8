/**
 * Calls of a running site with the examples of the contract, sound and damaged: no answer may be a 5xx or take longer than the limit. Only loopback
 * addresses are called. schemathesis (`npm test -- institute clients`) makes requests from the OpenAPI document; these reach what it leaves out as
 * well: the calls of the operator's page, and OPTIMADE.
 */
import { calls as contract } from '@unitcell/contract';
import { examples } from '@unitcell/contract/examples';
import fc from 'fast-check';
import { damagedJson, mostly, SPLINTERS } from './damage.ts';
import { optimadeQuery } from './targets/optimade.ts';

export interface HttpOptions {
  readonly site: string;
  readonly token: string;
  readonly seed: number;
  readonly count: number;
  /** Milliseconds an answer may take. */
  readonly limitMs: number;
  /** Calls whose path matches; all where it is left out. */
  readonly only?: RegExp | undefined;
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Address of the caller as a proxy gives it. */
  readonly from: string;
}

/** Calls that end the session, the account or its rights, or never end. */
const LEFT_OUT = /log-?out|delete|events|sign-?out|sessions|revoke|reset|person\/role/i;
/** OPTIMADE's answer to parts of the specification that a provider may leave out. */
const NOT_IMPLEMENTED = 501;
const from = fc.constantFrom(...SPLINTERS.callers);

function requests(only = /./): fc.Arbitrary<Sent>[] {
  const optimade = ['structures', 'structures/12', 'references', 'links'].map(
    (list) => `/optimade/v1/${list}`,
  );
  return [
    ...contract
      .filter(({ name, path }) => ![name, path].some((word) => LEFT_OUT.test(word)) && only.test(path))
      .map(({ name, method, path }) => {
        const sound = examples[name]?.request ?? {};
        const body =
          method === 'GET' ? fc.constant(undefined) : mostly(1, fc.constant(sound), damagedJson([sound]));
        return fc.record({
          method: fc.constant(method),
          path: fc.constant(path),
          query: fc.constant({}),
          body,
          from,
        });
      }),
    ...optimade
      .filter((path) => only.test(path))
      .map((path) =>
        fc.record({
          method: fc.constant('GET'),
          path: fc.constant(path),
          query: optimadeQuery,
          body: fc.constant(undefined),
          from,
        }),
      ),
  ];
}

/** Sends `count` requests one after the other. */
export async function fuzzHttp(
  options: HttpOptions,
): Promise<{ table: string; failures: readonly string[] }> {
  const { token, seed, count, limitMs, only } = options;
  const site = new URL(options.site);
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(site.hostname))
    throw new Error(`${site.hostname} is no loopback address: only a site of this machine is fuzzed`);
  const tallies = new Map<string, { requests: number; refused: number; broken: number; slowestMs: number }>();
  const failures: string[] = [];
  for (const sent of fc.sample(fc.oneof(...requests(only)), { seed, numRuns: count })) {
    const { method, path, query, body } = sent;
    const tally = tallies.get(path) ?? { requests: 0, refused: 0, broken: 0, slowestMs: 0 };
    tallies.set(path, tally);
    const url = new URL(`${path}?${new URLSearchParams(query)}`, site);
    const begun = performance.now();
    const status = await fetch(url, {
      method,
      headers: {
        authorization: `token ${token}`,
        'x-forwarded-for': sent.from,
        'content-type': 'application/json',
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(2 * limitMs),
    }).then(
      async (answer) => (await answer.arrayBuffer(), answer.status),
      () => 'no answer' as const,
    );
    const ms = Math.round(performance.now() - begun);
    tally.requests++;
    tally.slowestMs = Math.max(tally.slowestMs, ms);
    if (typeof status === 'number' && status >= 400 && status < 500) tally.refused++;
    const isBroken = status === 'no answer' || (status >= 500 && status !== NOT_IMPLEMENTED) || ms > limitMs;
    if (!isBroken) continue;
    tally.broken++;
    failures.push(
      `${method} ${path} ${status}, ${ms} ms: ${(JSON.stringify(body) ?? url.search).slice(0, 300)}`,
    );
  }
  const rows = [...tallies].map(([path, tally]) => [path, ...Object.values(tally)]);
  const head = ['call', 'requests', '4xx', '5xx or too slow', 'slowest ms'];
  const table = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
  return { table, failures };
}
