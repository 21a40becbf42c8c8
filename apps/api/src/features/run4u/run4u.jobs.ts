/** Run4U in the workers; composed in worker.ts. */
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../infra/database.ts';
import { PREDICTED_SCALE } from '@unitcell/contract/prediction';
import { completenessRepository, missingOfSystem } from '../../domain/thermodynamics/completeness.ts';
import { openPotential } from './engines/engine.ts';
import { detectEngine } from './engines/detect-engine.ts';
import { ownCluster, sshCluster } from './executors/cluster.ts';
import type { Executor } from './executors/executor.ts';
import { localExecutor } from './executors/local-executor.ts';
import { slurmExecutor } from './executors/slurm-executor.ts';
import type { CalculatedMaterials } from '../../catalogue/calculated-materials.ts';
import { leasesRepository } from './pipeline/leases.repository.ts';
import { type Runner, startRunner } from './pipeline/runner.ts';
import { readRun4uSettings, type Run4uSettings } from './run4u-settings.ts';
import { submissionsRepository } from './submissions.repository.ts';

export interface Run4uWorkerOptions {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  readonly catalogue: CalculatedMaterials;
  /** PATH for engines and cluster commands. */
  readonly searchPath: string;
}

/** Poll interval for a login node; longer than for a local controller. */
const SSH_POLL_MILLISECONDS = 15_000;

export function executorOf(settings: Run4uSettings, searchPath: string): Executor {
  const { executor, ssh, scratch, slurmConf, slurmArguments, slurmPrelude } = settings;
  if (executor === 'local') return localExecutor(searchPath);
  return slurmExecutor({
    cluster: ssh
      ? sshCluster(ssh, scratch, searchPath)
      : ownCluster(searchPath, slurmConf === null ? {} : { SLURM_CONF: slurmConf }),
    sbatchArguments: slurmArguments,
    prelude: slurmPrelude,
    ...(ssh ? { pollMilliseconds: SSH_POLL_MILLISECONDS } : {}),
  });
}

/** Starts running submissions. */
export function run4uWorker(options: Run4uWorkerOptions): Runner {
  const { config, database, log, catalogue, searchPath } = options;
  const settings = readRun4uSettings(config);
  return startRunner({
    leases: leasesRepository(database),
    materials: {
      ...submissionsRepository(database),
      missingCompounds: (elements) =>
        missingOfSystem(completenessRepository(database), PREDICTED_SCALE, elements),
    },
    catalogue,
    executor: executorOf(settings, searchPath),
    detectEngine: () => detectEngine(settings, searchPath),
    potential: openPotential(settings.slots),
    settings,
    log,
  });
}
