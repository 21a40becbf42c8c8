/**
 * The actions of a user on a site in containers: signs in with the code from the log, searches, matches,
 * submits a calculation.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dashboard, MatchResult, SubmissionRow } from '@unitcell/client';
import { halite, matchOf, register as registerNumber } from '../visit.ts';
import type { Composition } from './composition.ts';

/** Registers a number. @returns its token */
export async function register(site: Composition, mobile: string): Promise<string> {
  const ask = (path: string, body: object) => site.ask<Record<string, unknown>>(path, { body });
  const token = await registerNumber(mobile, ask, () => site.run('logs', '--no-color', 'api'));
  if (token === null) throw new Error('the registration gave no token');
  return token;
}

/** Number of materials of a chemical system on the site. */
export async function search(site: Composition, token: string): Promise<number> {
  const body = { include: 'Na-Cl' };
  return (await site.ask<{ len: number }>('/api/matdata/search_by_elements/', { token, body })).len;
}

/** Matches halite against the stored patterns. @returns the verdict as text */
export async function match(site: Composition, token: string): Promise<string> {
  const received = await site.ask<{ x: number[]; y: number[] }>('/api/xrd/xrd_receive/', {
    token,
    body: halite().upload,
  });
  const body = matchOf(received);
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

/** An image of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Uploads an image and sets it as the avatar. @returns its address on the site */
export async function setAvatar(site: Composition, token: string): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([PNG], { type: 'image/png' }), 'me.png');
  const { file_url } = await site.ask<{ file_url: string }>('/api/arkid/upload_avatar/', {
    token,
    body: form,
  });
  await site.ask('/api/arkid/change_infor/', { token, body: { avatar: file_url, name: 'Marie' } });
  return file_url;
}
