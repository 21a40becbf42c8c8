/** Actions of users of a site, for the soak test, the rehearsal of the composition and the load test. */
import { until } from '@unitcell/tools/timeouts';

const CODE_SECONDS = 30;

export interface Sent {
  readonly token?: string;
  /** Client address as a trusted proxy reports it, so that users do not share the budget of one address. */
  readonly from?: string;
  readonly body?: object | FormData;
}

/** Uses POST if there is a body. */
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

export const isReady = async (site: string): Promise<boolean> =>
  (await send(`${site}/api/ready`, {}, 5000)).ok;

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
  let code: string | undefined;
  const look = async () => (code = [...(await printed()).matchAll(wanted)].at(-1)?.[1]);
  await until('a code is printed', look, CODE_SECONDS).catch(() => undefined);
  const sms_token = code && (await step('get_sms_token', { code }))?.sms_token;
  const token = sms_token && (await step('check_sm', { sms_token }))?.token;
  return typeof token === 'string' ? token : null;
}

/** A call that reads. Calls that differ only in their values share a name. */
export interface Reading {
  readonly name: string;
  readonly path: string;
  readonly body?: object;
}

export function readings(ids: readonly number[]): Reading[] {
  const calls = (name: string, call: string, field: string, values: readonly unknown[], more = {}) =>
    values.map((value) => ({ name, path: `/api/${call}/`, body: { [field]: value, ...more } }));
  const systems = ['Li O', 'Ti O', 'Li Fe O', 'Li P S', 'Li Fe P O'];
  const pages = '/ /matdata /phase /api/arkid/get_user_infor/ /api/arkid/sessions/ /api/about/get_data/';
  return [
    ...calls('search', 'matdata/search_by_elements', 'include', ['Ti-O', 'Li-O-*', 'Fe-*', 'Na-Cl']),
    ...calls('search', 'matdata/search_by_formula', 'include', ['TiO2', 'LiCoO2', 'Fe2O3']),
    ...calls('detail', 'matdata/get_struct_detail', 'struct_id', ids),
    ...calls('pattern', 'matdata/get_xrd_handle', 'struct_id', ids.slice(0, 10)),
    ...calls('phase diagram', 'phase_diagram/phase_diagram_handle', 'include', systems),
    ...calls('windows', 'ecwindow/search_by_elements', 'include', ['Li-O-*', 'Li-Fe-O', 'Li-P-S']),
    ...calls('window', 'ecwindow/get_ecw_detail', 'struct_id', [95, 4, 121], { work_ion: 'Li' }),
    ...calls('interface', 'interface_reaction/interface_receive', 'reactant1', ['Li3PS4'], {
      reactant2: 'LiCoO2',
    }),
    ...pages.split(' ').map((path) => ({ name: 'page', path })),
  ];
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

export const matchOf = ({ x, y }: { readonly x: unknown; readonly y: unknown }): object => ({
  xrd_data: { x, y, name: 'pristine', background_removed: true },
  elements: 'only: Na Cl',
  radiation: 'CuKa',
  match_way: 'DTW',
});

/** The request that submits a face-centred cubic cell (Å) with these elements. */
export const submissionOf = (a: number, elements: readonly string[]): object => ({
  submit: true,
  structure: {
    lattice: { matrix: [0, 1, 2].map((row) => [0, 1, 2].map((column) => (row === column ? 0 : a / 2))) },
    sites: elements.map((element, k) => ({
      species: [{ element, occu: 1 }],
      abc: [k / 2, k / 2, k / 2],
    })),
  },
});
