/** What is left lying about: folders nobody needs, and jobs of submissions that were cancelled while no worker looked. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Executor } from '../executors/executor.ts';
import type { LeasesRepository } from './leases.repository.ts';

export interface HousekeepingOptions {
  readonly leases: LeasesRepository;
  readonly executor: Executor;
  /** Folder of the runs. */
  readonly runs: string;
}

/** Ends runs that outlived their submission; only runs another process can reach can do that. */
export async function endForgottenRuns({ leases, executor }: HousekeepingOptions): Promise<void> {
  for (const { id, handle } of await leases.forgottenRuns()) {
    if (executor.canFollow(handle)) await executor.cancel(handle);
    await leases.forgetRun(id);
  }
}

/** Removes the folders of submissions that are over; failed ones stay some days to be looked at. */
export async function removeOldFolders({ leases, runs }: HousekeepingOptions): Promise<void> {
  const names = (await readdir(runs).catch(() => [] as string[])).filter((name) => /^\d{1,9}$/.test(name));
  if (names.length === 0) return;
  const needed = new Set(await leases.needFolders(names.map(Number)));
  for (const name of names)
    if (!needed.has(Number(name))) await rm(join(runs, name), { recursive: true, force: true });
}
