/**
 * Reads a visitor's file with volumetric data in the browser: returns the data, or the reason for a failure in words.
 */
import {
  CrystalError,
  type CrystalErrorCode,
  type CrystalRefusal,
  MAX_VOLUME_POINTS,
  MAX_VOLUME_TEXT,
  type Volume,
} from '@unitcell/crystal';
import { type Translate, translate } from '../../i18n/texts.ts';
import { refusalText } from '../crystal-viewer/own-file.ts';
import { viewerTexts } from '../crystal-viewer/texts.ts';
import type { volumeTexts } from './texts.ts';
import type { VolumeNumbers } from './volume-numbers.ts';

export interface OpenedVolume {
  readonly volume: Volume;
  readonly numbers: VolumeNumbers;
  readonly secondNumbers: VolumeNumbers | undefined;
}

interface Refused {
  /** Undefined if reading failed for a reason other than the file. */
  readonly refusal:
    | {
        readonly code: CrystalErrorCode;
        readonly message: string;
        readonly line: number | undefined;
        readonly why: CrystalRefusal;
      }
    | undefined;
}

export type VolumeAnswer = OpenedVolume | Refused;

const FORMATS: Readonly<Record<string, string>> = { cube: 'cube', cub: 'cube', xsf: 'XSF', axsf: 'XSF' };

function problemOf({ refusal }: Refused, fileName: string, t: Translate<(typeof volumeTexts)['en']>): string {
  if (!refusal) return t('notRead');
  const { reason } = refusal.why;
  if (reason === 'text-too-long' || reason === 'volume-too-many-points')
    return t('tooLarge', { megabytes: MAX_VOLUME_TEXT / 1e6, points: Math.cbrt(MAX_VOLUME_POINTS) });
  if (reason === 'volume-unknown-format') return t('unknownFormat');
  const { code, message, line, why } = refusal;
  const error = new CrystalError(code, message, { ...(line === undefined ? {} : { line }), why });
  const format = FORMATS[fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase()] ?? t('file');
  return refusalText(error, format, translate(viewerTexts));
}

/** Opens a worker for one file. `signal` ends it. */
export function readVolumeFile(
  file: File,
  t: Translate<(typeof volumeTexts)['en']>,
  signal: AbortSignal,
): Promise<OpenedVolume | { readonly problem: string }> {
  if (file.size > MAX_VOLUME_TEXT)
    return Promise.resolve({
      problem: t('tooLarge', { megabytes: MAX_VOLUME_TEXT / 1e6, points: Math.cbrt(MAX_VOLUME_POINTS) }),
    });
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./read-volume.worker.ts', import.meta.url), { type: 'module' });
    const end = (answer: OpenedVolume | { readonly problem: string }): void => {
      worker.terminate();
      resolve(answer);
    };
    signal.addEventListener('abort', () => worker.terminate());
    worker.addEventListener('message', ({ data }: MessageEvent<VolumeAnswer>) =>
      end('volume' in data ? data : { problem: problemOf(data, file.name, t) }),
    );
    worker.addEventListener('error', () => end({ problem: t('notRead') }));
    // A worker has no target origin; the rule is about windows.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage(file);
  });
}
