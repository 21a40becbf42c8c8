/** Every job there is. The worker holds this list against its handlers at boot. */
import type { Job } from './define-job.ts';
import { helpCatalogue } from './help-catalogue.ts';
import { makeBackup } from './make-backup.ts';
import { predictMaterials } from './predict-materials.ts';
import { rederiveCatalogue } from './rederive-catalogue.ts';
import { renewMaterials } from './renew-materials.ts';
import { run4uWake } from './run4u-wake.ts';
import { runDesign } from './run-design.ts';

export * from './define-job.ts';
export * from './help-catalogue.ts';
export * from './make-backup.ts';
export * from './predict-materials.ts';
export * from './rederive-catalogue.ts';
export * from './renew-materials.ts';
export * from './run4u-wake.ts';
export * from './run-design.ts';

export const jobs: readonly Job[] = [
  rederiveCatalogue,
  helpCatalogue,
  renewMaterials,
  run4uWake,
  predictMaterials,
  runDesign,
  makeBackup,
];
