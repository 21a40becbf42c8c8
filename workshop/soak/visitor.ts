/** A member who works on the site all day: asks, reads, calculates, submits, changes the profile, signs others in. */
import { type RandomSource } from '@unitcell/numerics';
import type { Ledger } from './ledger.ts';
import type { Fate, Tally } from './tally.ts';

export const below = (random: RandomSource, limit: number): number => Math.floor(random() * limit);
const oneOf = <T>(random: RandomSource, items: readonly T[]): T => items[below(random, items.length)];

const TIMEOUT_MS = 60_000;
const SMS_PATIENCE_MS = 5_000;

export interface Surroundings {
  readonly url: string;
  readonly random: RandomSource;
  readonly tally: Tally;
  readonly ledger: Ledger;
  /** What the site has printed: codes stand in it. */
  readonly printed: () => string;
  /** A number nobody had before. */
  readonly freshMobile: () => string;
  /** Two elements nobody has submitted together before. */
  readonly freshPair: () => readonly [string, string] | undefined;
}

interface Asked {
  readonly token?: string;
  /** As a trusted proxy would name it: visitors do not share the budget of one address. */
  readonly from?: string;
  readonly body?: object | FormData;
}

type Answer = Readonly<Record<string, unknown>>;

const SEARCHES = ['Li-O-*', 'Ti-O', 'Fe-*', 'Na-Cl', 'Si-*'];
const FORMULAS = ['TiO2', 'LiCoO2', 'Fe2O3', 'NaCl'];
const SYSTEMS = ['Li O', 'Li Fe O', 'Li P S', 'Ti O', 'Li Fe P O'];
const PAIRS = [
  ['Li3PS4', 'LiCoO2'],
  ['Li', 'LiFePO4'],
  ['Li2S', 'TiO2'],
] as const;
const PAGES = ['/', '/matdata', '/xrd', '/run4u', '/phase', '/about'];

/** Halite as a diffractometer might see it, 10° to 80° in steps of 0.05°. */
const measured = (): FormData => {
  const lines = [27.35, 31.69, 45.45, 53.86, 56.47, 66.22, 75.29];
  const heights = [9, 100, 55, 2, 15, 7, 10];
  const rows = Array.from({ length: 1401 }, (_, i) => {
    const x = 10 + i * 0.05;
    const y = lines.reduce(
      (sum, line, k) => sum + (heights[k] ?? 0) * Math.exp(-(((x - line) / 0.12) ** 2)),
      3,
    );
    return `${x.toFixed(2)} ${y.toFixed(2)}`;
  });
  const form = new FormData();
  form.set('xrd-file', new Blob([rows.join('\n')]), 'halite.xy');
  return form;
};

export function openVisitor({ url, random, tally, ledger, printed, freshMobile, freshPair }: Surroundings) {
  async function ask(call: string, path: string, { token, from, body }: Asked = {}): Promise<Answer | null> {
    const begun = performance.now();
    const note = (fate: Fate): void => tally.note(call, fate, performance.now() - begun);
    try {
      const answer = await fetch(url + path, {
        method: body ? 'POST' : 'GET',
        headers: {
          ...(token ? { authorization: `token ${token}` } : {}),
          ...(from ? { 'x-forwarded-for': from } : {}),
          ...(body && !(body instanceof FormData) ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: body instanceof FormData ? body : JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await answer.text();
      const isRefused = answer.status === 429 || answer.status === 503;
      note(isRefused ? 'refused' : answer.status >= 500 ? 'failed' : 'answered');
      return answer.status === 200 && text.startsWith('{') ? (JSON.parse(text) as Answer) : null;
    } catch {
      note('cut');
      return null;
    }
  }

  async function codeFor(mobile: string): Promise<string | null> {
    const wanted = new RegExp(
      `^SMS code for ${mobile.slice(0, 3)}\\*{4}${mobile.slice(-4)} .*: (\\d+)`,
      'gm',
    );
    const deadline = performance.now() + SMS_PATIENCE_MS;
    while (performance.now() < deadline) {
      const code = [...printed().matchAll(wanted)].at(-1)?.[1];
      if (code) return code;
      await new Promise((wake) => setTimeout(wake, 50));
    }
    return null;
  }

  /** The token of a new account; null when something on the way was refused or cut off. */
  async function register(): Promise<string | null> {
    const mobile = freshMobile();
    const from = `10.${below(random, 250)}.${below(random, 250)}.${below(random, 250)}`;
    const step = (name: string, body: object) =>
      ask('registration', `/api/arkid/register_${name}/`, { from, body: { mobile, ...body } });
    if ((await step('request_sm', {}))?.result !== 'ok') return null;
    const code = await codeFor(mobile);
    const sms_token = code === null ? undefined : (await step('get_sms_token', { code }))?.sms_token;
    if (sms_token === undefined) return null;
    const token = (await step('check_sm', { sms_token }))?.token;
    if (typeof token !== 'string') return null;
    ledger.accountMade({ mobile, token });
    return token;
  }

  async function submit(token: string): Promise<void> {
    const pair = freshPair();
    if (!pair) return;
    const matrix = [
      [0, 2.7, 2.7],
      [2.7, 0, 2.7],
      [2.7, 2.7, 0],
    ];
    const sites = pair.map((element, k) => ({
      species: [{ element, occu: 1 }],
      abc: [k / 2, k / 2, k / 2],
    }));
    const body = { submit: true, structure: { lattice: { matrix }, sites } };
    const answer = await ask('run4u submit', '/api/run4u/run4u_submit/', { token, body });
    if (answer?.error === 'false') ledger.submitted(Number(answer.id), pair.join(''));
  }

  async function rename(token: string): Promise<void> {
    const name = `n${below(random, 1_000_000)}`;
    ledger.nameTried(token, name);
    const answer = await ask('profile', '/api/arkid/change_infor/', { token, body: { name } });
    if (answer?.error === 'false') ledger.nameKept(token, name);
  }

  async function match(token: string): Promise<void> {
    const received = await ask('xrd upload', '/api/xrd/xrd_receive/', { token, body: measured() });
    if (received?.error !== 'false') return;
    const { x, y } = received;
    await ask('xrd match', '/api/xrd/xrd_match/', {
      token,
      body: {
        xrd_data: { x, y, name: 'pristine', background_removed: true },
        elements: 'only: Na Cl',
        radiation: 'CuKa',
        match_way: 'DTW',
      },
    });
  }

  const post = (call: string, path: string, bodyOf: () => object) => (token: string) =>
    ask(call, path, { token, body: bodyOf() });
  const structId = () => ({ struct_id: 1 + below(random, 600) });
  /** How often each comes, and what it is. */
  const DAY: readonly (readonly [number, (token: string) => Promise<unknown>])[] = [
    [8, post('search', '/api/matdata/search_by_elements/', () => ({ include: oneOf(random, SEARCHES) }))],
    [4, post('search', '/api/matdata/search_by_formula/', () => ({ include: oneOf(random, FORMULAS) }))],
    [10, post('detail', '/api/matdata/get_struct_detail/', structId)],
    [4, post('pattern', '/api/matdata/get_xrd_handle/', structId)],
    [
      4,
      post('phase diagram', '/api/phase_diagram/phase_diagram_handle/', () => ({
        include: oneOf(random, SYSTEMS),
      })),
    ],
    [4, post('windows', '/api/ecwindow/search_by_elements/', () => ({ include: oneOf(random, SEARCHES) }))],
    [
      2,
      post('interface', '/api/interface_reaction/interface_receive/', () => {
        const [reactant1, reactant2] = oneOf(random, PAIRS);
        return { reactant1, reactant2 };
      }),
    ],
    [2, match],
    [4, submit],
    [4, rename],
    [3, (token) => ask('dashboard', '/api/run4u/dashboard_handle/', { token, body: {} })],
    [8, () => ask('page', oneOf(random, PAGES))],
    [2, register],
  ];
  const lots = DAY.flatMap(([weight, work]) => Array.from({ length: weight }, () => work));

  return {
    register,
    /** One thing of the day. */
    work: (token: string): Promise<unknown> => oneOf(random, lots)(token),
  };
}
