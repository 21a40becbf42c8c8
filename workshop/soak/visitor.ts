/**
 * A simulated member who uses the site all day: searches, reads, calculates, submits, changes the profile,
 * registers others.
 */
import { type RandomSource } from '@unitcell/numerics';
import { halite, matchOf, register as registerNumber, send, type Sent } from '../visit.ts';
import type { Fate, SoakRecord } from './record.ts';

export const below = (random: RandomSource, limit: number): number => Math.floor(random() * limit);
const oneOf = <T>(random: RandomSource, items: readonly T[]): T => items[below(random, items.length)];

export interface Surroundings {
  readonly url: string;
  readonly random: RandomSource;
  readonly record: SoakRecord;
  /** The site's output, which contains the codes. */
  readonly printed: () => string;
  /** An unused number. */
  readonly freshMobile: () => string;
  /** Two elements that were not submitted together before. */
  readonly freshPair: () => readonly [string, string] | undefined;
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

export function openVisitor({ url, random, record, printed, freshMobile, freshPair }: Surroundings) {
  /** @returns the answer if it is JSON with status 200 */
  async function ask(call: string, path: string, sent: Sent = {}): Promise<Answer | null> {
    const begun = performance.now();
    const note = (fate: Fate): void => record.note(call, fate, performance.now() - begun);
    try {
      const answer = await send(url + path, sent);
      const text = await answer.text();
      const isRefused = answer.status === 429 || answer.status === 503;
      note(isRefused ? 'refused' : answer.status >= 500 ? 'failed' : 'answered');
      return answer.status === 200 && text.startsWith('{') ? (JSON.parse(text) as Answer) : null;
    } catch {
      note('cut');
      return null;
    }
  }

  async function register(): Promise<string | null> {
    const mobile = freshMobile();
    const from = `10.${below(random, 250)}.${below(random, 250)}.${below(random, 250)}`;
    const token = await registerNumber(
      mobile,
      (path, body) => ask('registration', path, { from, body }),
      printed,
    );
    if (token !== null) record.accounts.set(token, mobile);
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
    if (answer?.error === 'false') record.submissions.set(Number(answer.id), pair.join(''));
  }

  async function rename(token: string): Promise<void> {
    const name = `n${below(random, 1_000_000)}`;
    record.nameTried(token, name);
    const answer = await ask('profile', '/api/arkid/change_infor/', { token, body: { name } });
    if (answer?.error === 'false') record.nameKept(token, name);
  }

  async function match(token: string): Promise<void> {
    const received = await ask('xrd upload', '/api/xrd/xrd_receive/', { token, body: halite().upload });
    if (received?.error !== 'false') return;
    const { x, y } = received;
    await ask('xrd match', '/api/xrd/xrd_match/', { token, body: matchOf({ x, y }) });
  }

  const post = (call: string, path: string, bodyOf: () => object) => (token: string) =>
    ask(call, path, { token, body: bodyOf() });
  const structId = () => ({ struct_id: 1 + below(random, 600) });
  /** The actions with their relative frequencies. */
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
    /** Performs one random action. */
    work: (token: string): Promise<unknown> => oneOf(random, lots)(token),
  };
}
