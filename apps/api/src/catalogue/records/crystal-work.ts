import { assignCrystals } from './assign-crystals.ts';
import { mergeRecords } from './merge-records.ts';

/** What takes time while a batch is stored: in worker threads where there are some. */
export interface CrystalWork {
  assignCrystals(...given: Parameters<typeof assignCrystals>): Promise<ReturnType<typeof assignCrystals>>;
  mergeRecords(...given: Parameters<typeof mergeRecords>): Promise<ReturnType<typeof mergeRecords>>;
}

/** The same in this thread. */
export const IN_THIS_THREAD: CrystalWork = {
  assignCrystals: async (groups) => assignCrystals(groups),
  mergeRecords: async (requests) => mergeRecords(requests),
};
