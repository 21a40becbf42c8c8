/** Row height of all large tables, kept in this browser. */
import { observable, useObservable } from '../../lib/observable.ts';
import { readStored, writeStored } from '../../lib/storage.ts';

const KEY = 'tableDensity';

const isCompact = observable(readStored(KEY) === 'compact');

export const useIsDense = (): boolean => useObservable(isCompact);

export function setDense(isDense: boolean): void {
  writeStored(KEY, isDense ? 'compact' : null);
  isCompact.set(isDense);
}
