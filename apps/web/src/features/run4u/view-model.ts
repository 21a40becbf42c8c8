/** Pure questions the page asks about what the server says. */
import type { StructureJson, SubmissionRow, SubmitOutcome } from '@unitcell/contract';
import type { Structure } from '@unitcell/crystal';
import type { Mat3, Vec3 } from '@unitcell/numerics';
import type { Translate } from '../../i18n/texts.ts';
import type { Tone } from '../../lib/notify.ts';
import type { run4uTexts } from './texts.ts';

export type T = Translate<(typeof run4uTexts)['en']>;

export const structureOf = ({ lattice, sites }: StructureJson): Structure => ({
  latticeVectors: lattice.matrix as unknown as Mat3,
  sites: sites.map(({ species, abc }) => ({
    species: species.map(({ element, occu }) => ({ element, occupancy: occu })),
    fractionalCoords: abc as unknown as Vec3,
  })),
});

/** The material a row opens; only finished and existing submissions have one to show (spec §2.13). */
export const materialHref = ({ status, struct_id }: SubmissionRow): string | null =>
  (status === 'finished' || status === 'existed') && struct_id !== null ? `/matdatades/${struct_id}` : null;

/** What the page says after a submission (spec §8). */
export function submitNotice(
  { message, status }: SubmitOutcome,
  t: T,
): { tone: Tone; text: string; isDone: boolean } {
  if (message === 'Error') return { tone: 'error', text: t('uploadFirst'), isDone: false };
  if (message === 'Full') return { tone: 'warning', text: t('full'), isDone: false };
  if (message !== 'Success') return { tone: 'error', text: message, isDone: false };
  return status === 'existed'
    ? { tone: 'info', text: t('existedNow'), isDone: true }
    : { tone: 'success', text: t('submitted'), isDone: true };
}

/** An estimate in the unit people think in; it is no promise, so it is rounded. */
export function estimateText(seconds: number | null, t: T): string {
  if (seconds === null) return '';
  if (seconds < 90) return t('seconds', { n: Math.max(1, Math.round(seconds / 5) * 5) });
  if (seconds < 5400) return t('minutes', { n: Math.round(seconds / 60) });
  return t('hours', { n: Number((seconds / 3600).toFixed(1)) });
}

/** What is going on with a row, in a few words: its step or its place, and the time it may take. */
export function progressText(row: SubmissionRow, t: T): string {
  const parts: string[] = [];
  if (row.status === 'running' && row.step !== '') parts.push(t(`step_${row.step}` as 'step_relax'));
  if (row.status === 'queued' && row.reason === '')
    parts.push(
      row.queue_position === 0 || row.queue_position === null
        ? t('next')
        : t('ahead', { n: row.queue_position, count: row.queue_position }),
    );
  const estimate = row.status === 'running' || row.reason === '' ? estimateText(row.estimate_seconds, t) : '';
  return [...parts, estimate].filter(Boolean).join(', ');
}

/** One event of a stream of server-sent events, and what is left of the text. */
export function takeEvents(buffer: string): { readonly events: readonly string[]; readonly rest: string } {
  const parts = buffer.replaceAll('\r\n', '\n').split('\n\n');
  const rest = parts.pop() ?? '';
  const events = parts.flatMap((part) => {
    const data = part
      .split('\n')
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).trimStart());
    return data.length > 0 ? [data.join('\n')] : [];
  });
  return { events, rest };
}
