/** The steps before a match: reading an upload, normalising, removing the background. */
import type { XrdData } from '@unitcell/contract';
import { AppError } from '../../plugins/app-error.ts';
import type { ThreadPool } from '../../threads/thread-pool.ts';
import { assertPattern } from './check-pattern.ts';
import type { ReadPattern, WithoutBackground } from './measured-pattern.ts';
import { unsettle } from './refuse.ts';
import type { Settled } from './settle.ts';

const DIGITS = 7;

/** Strongest point at 100. */
function normalised(y: readonly number[]): number[] {
  const highest = y.reduce((best, value) => Math.max(best, value), 0);
  if (!(highest > 0)) throw new AppError('xrd.no-peaks-left');
  return y.map((value) => Number(((100 * value) / highest).toPrecision(DIGITS)));
}

export type Patterns = ReturnType<typeof patterns>;

export function patterns(threads: ThreadPool) {
  return {
    /** @throws AppError xrd.file.* with the line found and the line expected */
    async read(bytes: Uint8Array): Promise<ReadPattern> {
      return unsettle(await threads.run<Settled<ReadPattern>>('receivePattern', bytes));
    },

    /** @throws AppError xrd.data.* */
    normalise(data: XrdData): XrdData {
      assertPattern(data);
      return { ...data, y: normalised(data.y), name: 'normlized' };
    },

    /** @throws AppError xrd.data.*, xrd.no-peaks-left */
    async removeBackground(
      data: XrdData,
      isNormalised: boolean,
    ): Promise<XrdData & { readonly background: number[] }> {
      assertPattern(data);
      const { y, background } = await threads.run<WithoutBackground>('splitBackground', {
        x: data.x,
        y: data.y,
      });
      if (!y.some((value) => value > 0)) throw new AppError('xrd.no-peaks-left');
      return {
        x: data.x,
        y: isNormalised ? normalised(y) : [...y],
        name: isNormalised ? 'normlized' : 'pristine',
        background_removed: true,
        background: [...background],
      };
    },
  };
}
