import type { Dashboard, MatchResult, SubmissionRow } from '@unitcell/client';
import { until } from '@unitcell/tools/timeouts';
import { halite, matchOf, register as registerNumber, submissionOf } from '../visit.ts';
import type { Composition } from './composition.ts';

export async function register(site: Composition, mobile: string): Promise<string> {
  const ask = (path: string, body: object) => site.ask<Record<string, unknown>>(path, { body });
  const token = await registerNumber(mobile, ask, () => site.run('logs', '--no-color', 'api'));
  if (token === null) throw new Error('the registration gave no token');
  return token;
}

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

/** Submits helium, which is not in the catalogue, and waits. @returns its row on the dashboard */
export async function calculate(site: Composition, token: string, seconds: number): Promise<SubmissionRow> {
  const body = submissionOf(4.1, ['He']);
  const { id } = await site.ask<{ id: number }>('/api/run4u/run4u_submit/', { token, body });
  let row: SubmissionRow | undefined;
  const hasEnded = async () => {
    const { user_data } = await site.ask<Dashboard>('/api/run4u/dashboard_handle/', { token, body: {} });
    row = user_data.history.find((entry) => entry.id === id);
    return row && ['finished', 'failed', 'cancelled', 'existed'].includes(row.status);
  };
  await until(`submission ${id} ended`, hasEnded, seconds).catch(() => undefined);
  if (row === undefined) throw new Error(`submission ${id} is not on the dashboard`);
  return row;
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
