/** Every job there is. The worker holds this list against its handlers at boot. */
import type { Job } from './define-job.ts';
import { rederiveCatalogue } from './rederive-catalogue.ts';
import { renewCells } from './renew-cells.ts';
import { run4uWake } from './run4u-wake.ts';

export * from './define-job.ts';
export * from './rederive-catalogue.ts';
export * from './renew-cells.ts';
export * from './run4u-wake.ts';

export const jobs: readonly Job[] = [rederiveCatalogue, renewCells, run4uWake];
