/** What a person does on a site in containers: signs in by the code in the log, searches, matches, has something calculated. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dashboard, MatchResult, SubmissionRow } from '@unitcell/client';
import type { Composition } from './composition.ts';

const LOOKS = 100;
const LOOK_MS = 300;

/** The last code that was sent to a number, from the log of the api. */
async function codeFor(site: Composition, mobile: string): Promise<string> {
  const wanted = new RegExp(`SMS code for ${mobile.slice(0, 3)}\\*{4}${mobile.slice(-4)} .*: (\\d+)`, 'g');
  for (let look = 0; look < LOOKS; look++) {
    const code = [...(await site.run('logs', '--no-color', 'api')).matchAll(wanted)].at(-1)?.[1];
    if (code) return code;
    await sleep(LOOK_MS);
  }
  throw new Error(`no code for ${mobile} in the log of the api`);
}

/** Registers a number. @returns its token */
export async function register(site: Composition, mobile: string): Promise<string> {
  const step = (name: string, body: object) =>
    site.ask<{ sms_token?: string; token?: string }>(`/api/arkid/register_${name}/`, {
      body: { mobile, ...body },
    });
  await step('request_sm', {});
  const { sms_token } = await step('get_sms_token', { code: await codeFor(site, mobile) });
  const { token } = await step('check_sm', { sms_token });
  if (typeof token !== 'string') throw new Error('the registration gave no token');
  return token;
}

/** How many materials of a chemical system the site has. */
export async function search(site: Composition, token: string, include = 'Na-Cl'): Promise<number> {
  const answer = await site.ask<{ len: number }>('/api/matdata/search_by_elements/', {
    token,
    body: { include },
  });
  return answer.len;
}

/** Halite as a diffractometer might see it, 10° to 80° in steps of 0.05°: line positions of Cu Kα and a = 5.640 Å. */
function halite(): FormData {
  const lines = [27.35, 31.69, 45.45, 53.86, 56.47, 66.22, 75.29];
  const heights = [9, 100, 55, 2, 15, 7, 10];
  const rows = Array.from({ length: 1401 }, (_, i) => {
    const x = 10 + i * 0.05;
    const y = lines.reduce((sum, at, k) => sum + (heights[k] ?? 0) * Math.exp(-(((x - at) / 0.12) ** 2)), 3);
    return `${x.toFixed(2)} ${y.toFixed(2)}`;
  });
  const form = new FormData();
  form.set('xrd-file', new Blob([rows.join('\n')]), 'halite.xy');
  return form;
}

/** Matches halite against the stored patterns. @returns the verdict in words */
export async function match(site: Composition, token: string): Promise<string> {
  const { x, y } = await site.ask<{ x: number[]; y: number[] }>('/api/xrd/xrd_receive/', {
    token,
    body: halite(),
  });
  const body = {
    xrd_data: { x, y, name: 'pristine', background_removed: true },
    elements: 'only: Na Cl',
    radiation: 'CuKa',
    match_way: 'DTW',
  };
  const answer = await site.ask<MatchResult>('/api/xrd/xrd_match/', { token, body });
  return `${answer.statement} (${answer.candidates} compared)`;
}

/** fcc, Å: not in the catalogue. */
const HELIUM = {
  lattice: {
    matrix: [
      [0, 2.05, 2.05],
      [2.05, 0, 2.05],
      [2.05, 2.05, 0],
    ],
  },
  sites: [{ species: [{ element: 'He', occu: 1 }], abc: [0, 0, 0] }],
};

/** Submits helium, and waits. @returns its row on the dashboard */
export async function calculate(site: Composition, token: string, seconds: number): Promise<SubmissionRow> {
  const { id } = await site.ask<{ id: number }>('/api/run4u/run4u_submit/', {
    token,
    body: { submit: true, structure: HELIUM },
  });
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const { user_data } = await site.ask<Dashboard>('/api/run4u/dashboard_handle/', { token, body: {} });
    const row = user_data.history.find((entry) => entry.id === id);
    if (row === undefined) throw new Error(`submission ${id} is not on the dashboard`);
    if (['finished', 'failed', 'cancelled', 'existed'].includes(row.status) || performance.now() > end)
      return row;
    await sleep(2000);
  }
}

/** A picture of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Uploads a picture and takes it for the account. @returns its address on the site */
export async function wearPicture(site: Composition, token: string): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([PNG], { type: 'image/png' }), 'me.png');
  const { file_url } = await site.ask<{ file_url: string }>('/api/arkid/upload_avatar/', {
    token,
    body: form,
  });
  await site.ask('/api/arkid/change_infor/', { token, body: { avatar: file_url, name: 'Marie' } });
  return file_url;
}
