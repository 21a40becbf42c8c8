/** The steps before a match: reading an upload, normalising, removing the background. */
import type { XrdData } from '@unitcell/contract';
import { AppError } from '../../messages/app-error.ts';
import type { Asker } from '../../infra/task-admission.ts';
import type { Door } from '../../infra/thread-pool.ts';
import { assertPattern } from './check-pattern.ts';
import type { ReadPattern } from './measured-pattern.ts';
import type * as xrdThread from './xrd.thread.ts';

const DIGITS = 7;

/** Strongest point at 100. */
function normalised(y: readonly number[]): number[] {
  const highest = y.reduce((best, value) => Math.max(best, value), 0);
  if (!(highest > 0)) throw new AppError('xrd.no-peaks-left');
  return y.map((value) => Number(((100 * value) / highest).toPrecision(DIGITS)));
}

export type Patterns = ReturnType<typeof patterns>;

export function patterns(threads: Door<typeof xrdThread>) {
  return {
    /** @throws AppError xrd.file.* with the line found and the line expected */
    async read(bytes: Uint8Array, asker: Asker): Promise<ReadPattern> {
      return await threads.run('receivePattern', bytes, asker);
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
      asker: Asker,
    ): Promise<XrdData & { readonly background: number[] }> {
      assertPattern(data);
      const { y, background } = await threads.run('splitBackground', { x: data.x, y: data.y }, asker);
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
