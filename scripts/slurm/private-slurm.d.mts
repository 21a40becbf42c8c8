export interface PrivateSlurm {
  /** Path of slurm.conf. */
  readonly configuration: string;
  stop(): Promise<void>;
  restartController(): Promise<void>;
}

/** Why a private Slurm cannot run here; undefined when it can. */
export function whatSlurmLacks(): string | undefined;

/** Starts it and waits until it takes jobs. */
export function startPrivateSlurm(folder: string): Promise<PrivateSlurm>;
