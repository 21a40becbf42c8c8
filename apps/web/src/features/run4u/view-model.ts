/** Pure functions that prepare the server's data for the page. */
import type {
  CalculationService,
  RelaxationFrame,
  SubmissionRow,
  SubmitOutcome,
} from '@unitcell/contract/run4u';
import { orderedSite, type Structure } from '@unitcell/crystal';
import type { Vec3 } from '@unitcell/numerics';
import type { Translate } from '../../i18n/texts.ts';
import type { Tone } from '../../lib/notify.ts';
import type { run4uTexts } from './texts.ts';

export type T = Translate<(typeof run4uTexts)['en']>;

/** The material a row opens; only finished and existing submissions have one (spec §2.13). */
export const materialHref = ({ status, struct_id }: SubmissionRow): string | null =>
  (status === 'finished' || status === 'existed') && struct_id !== null ? `/matdatades/${struct_id}` : null;

export interface Notice {
  readonly tone: Tone;
  readonly text: string;
}

/** True if the call succeeded. */
export const isDone = ({ message }: SubmitOutcome): boolean => message === 'Success';

/** The message after a submission (spec §8). */
export function submitNotice({ message, status, limit = 0 }: SubmitOutcome, t: T): Notice {
  if (message === 'Error') return { tone: 'error', text: t('uploadFirst') };
  if (message === 'Full') return { tone: 'warning', text: t('full', { count: limit }) };
  if (message !== 'Success') return { tone: 'error', text: message };
  return status === 'existed'
    ? { tone: 'info', text: t('existedNow') }
    : { tone: 'success', text: t('submitted') };
}

/** The message after a cancellation. */
export const cancelNotice = (answer: SubmitOutcome, t: T): Notice =>
  isDone(answer) ? { tone: 'info', text: t('cancelled') } : { tone: 'error', text: answer.message };

/** A duration in a readable unit; rounded, because it is an estimate. */
function rounded(seconds: number): { readonly unit: 'seconds' | 'minutes' | 'hours'; readonly n: number } {
  if (seconds < 90) return { unit: 'seconds', n: Math.max(1, Math.round(seconds / 5) * 5) };
  if (seconds < 5400) return { unit: 'minutes', n: Math.round(seconds / 60) };
  return { unit: 'hours', n: Number((seconds / 3600).toFixed(1)) };
}

/** `about 3 min left` */
export function estimateText(seconds: number | null, t: T): string {
  if (seconds === null) return '';
  const { unit, n } = rounded(seconds);
  return t(unit, { n });
}

/** True if results come from the built-in potential and not from first principles. */
export const isPredicting = ({ engine }: Pick<CalculationService, 'engine'>): boolean =>
  engine === 'sevennet-0';

/** `ABINIT 9.10.4`; without a version if that is unknown or if the operator uses a program of their own. */
export function engineText({
  engine,
  engine_version: version,
}: Pick<CalculationService, 'engine' | 'engine_version'>): string {
  const name = isPredicting({ engine }) ? 'SevenNet-0' : (engine?.toUpperCase() ?? '');
  const known = version === 'unknown' ? '' : version;
  if (name === 'TEMPLATE') return known;
  return name === 'VASP' ? `VASP (${known})` : `${name} ${known}`.trim();
}

/** `3 min` */
export function durationText(seconds: number, t: T): string {
  const { unit, n } = rounded(seconds);
  return t(`${unit}Only`, { n });
}

/** An approximate duration for a calculation that has not started. */
export function aboutText(seconds: number, t: T): string {
  if (seconds < 90) return t('aboutSeconds', { n: Math.max(1, Math.round(seconds / 5) * 5) });
  if (seconds < 5400) return t('aboutMinutes', { n: Math.round(seconds / 60) });
  return t('aboutHours', { n: Number((seconds / 3600).toFixed(1)) });
}

/** A short status of a row: its step or queue position, and the estimated time. */
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

/** Splits off one server-sent event, and returns the remaining text. */
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

/** The crystal at a moment of its relaxation. */
export function structureOf({ lattice, positions }: RelaxationFrame, { sites }: Structure): Structure {
  const three = (values: readonly number[], at: number): Vec3 => [
    values[at] ?? 0,
    values[at + 1] ?? 0,
    values[at + 2] ?? 0,
  ];
  return {
    latticeVectors: [three(lattice, 0), three(lattice, 3), three(lattice, 6)],
    sites: sites.map((site, index) => ({ ...site, fractionalCoords: three(positions, 3 * index) })),
  };
}

/** Sample file: silicon, a = 5.431 Å (diamond structure, measured at room temperature). */
export const SILICON_CIF = `data_Si
_cell_length_a 5.431
_cell_length_b 5.431
_cell_length_c 5.431
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
_symmetry_space_group_name_H-M 'F d -3 m :1'
loop_
_atom_site_label
_atom_site_type_symbol
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
Si1 Si 0 0 0
`;

/** Å */
const SILICON_EDGE = 5.431;

/** The crystal of the sample file with its first atom moved by 0.5 Å, so that a relaxation has something to do. */
export const displacedSilicon: Structure = {
  latticeVectors: [
    [SILICON_EDGE, 0, 0],
    [0, SILICON_EDGE, 0],
    [0, 0, SILICON_EDGE],
  ],
  sites: [
    [0.05, 0.05, 0.06],
    [0, 0.5, 0.5],
    [0.5, 0, 0.5],
    [0.5, 0.5, 0],
    [0.25, 0.25, 0.25],
    [0.25, 0.75, 0.75],
    [0.75, 0.25, 0.75],
    [0.75, 0.75, 0.25],
  ].map(([x = 0, y = 0, z = 0]) => orderedSite('Si', [x, y, z])),
};

export const sampleFile = (): File => new File([SILICON_CIF], 'Si.cif', { type: 'chemical/x-cif' });
