/** What a worker does when it is called: pieces of imports and derivations others share out, until there are none. */
import type { Database } from '../infra/database.ts';
import { doNext, type DoTask } from '../infra/shared-tasks.ts';
import { windowsInThreads } from './derive/rederive-catalogue.ts';
import { HULLS, hullPieces } from './derive/hull-pieces.ts';
import { hullRepository } from './derive/hull.repository.ts';
import { WINDOWS, windowPieces } from './derive/window-pieces.ts';
import { windowRepository } from './derive/window.repository.ts';
import { STANDARDISE, standardisePiece } from './import/standardise-together.ts';
import { openCatalogueThreads } from './open-catalogue-threads.ts';

/** One helper is enough for a process: whoever is called while he helps looks once more. */
export function catalogueHelp(database: Pick<Database, 'db' | 'pool'>) {
  const { db } = database;
  const hulls = hullRepository(database);

  async function helpOnce(signal: AbortSignal): Promise<number> {
    let done = 0;
    const doAll = async <Input extends object, Result extends object>(
      kind: string,
      doTask: DoTask<Input, Result>,
    ): Promise<void> => {
      // One after the other: there may be none left.
      // oxlint-disable-next-line no-await-in-loop
      while (!signal.aborted && (await doNext(db, kind, doTask))) done++;
    };
    await doAll(HULLS, hullPieces(hulls));
    const threads = openCatalogueThreads();
    try {
      await doAll(WINDOWS, windowPieces(windowRepository(database), hulls, windowsInThreads(threads)));
      const doTask = standardisePiece(threads);
      await Promise.all(Array.from({ length: threads.size }, () => doAll(STANDARDISE, doTask)));
    } finally {
      await threads.close();
    }
    return done;
  }

  let [isHelping, isCalledAgain] = [false, false];
  /** @returns how many pieces it did */
  return async (signal: AbortSignal): Promise<number> => {
    isCalledAgain = isHelping;
    if (isHelping) return 0;
    isHelping = true;
    let done = 0;
    try {
      do {
        isCalledAgain = false;
        // oxlint-disable-next-line no-await-in-loop
        done += await helpOnce(signal);
      } while (isCalledAgain && !signal.aborted);
    } finally {
      isHelping = false;
    }
    return done;
  };
}
