/** The settings of Run4U: the RUN4U_… environment variables, validated once at boot. */
import { availableParallelism, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { PRESETS, type PresetName } from '@unitcell/calculators';
import type { Config } from '../../config/config.ts';
import { ConfigError } from '../../config/config-error.ts';
import type { SshLogin } from './executors/cluster.ts';

/** Programs that calculate from first principles. */
const PROGRAM_NAMES = ['abinit', 'vasp', 'template'] as const;
export type ProgramName = (typeof PROGRAM_NAMES)[number];
/** `built-in`: the built-in interatomic potential. `none`: submissions wait. */
const ENGINE_NAMES = [...PROGRAM_NAMES, 'built-in', 'none'] as const;
type EngineName = (typeof ENGINE_NAMES)[number];
export type ExecutorName = 'local' | 'slurm';

/** Settings per program: its command, split at blanks, and its data sets. */
export interface EngineSettings extends Record<ProgramName, { readonly command: readonly string[] }> {
  readonly abinit: {
    readonly command: readonly string[];
    /** Folder of the PAW data sets; null: the folder of Debian's gpaw-data. */
    readonly dataSets: string | null;
  };
  readonly vasp: {
    readonly command: readonly string[];
    /** Folder with one POTCAR folder per element; without it VASP is never detected. */
    readonly potcars: string | null;
  };
}

export interface Run4uSettings {
  readonly executor: ExecutorName;
  /** null: the first program that is found, otherwise the built-in potential. */
  readonly engine: EngineName | null;
  readonly preset: PresetName;
  /** Submissions one worker runs at the same time. */
  readonly slots: number;
  /** Processor cores of one run. */
  readonly cores: number;
  /** MiB per run. */
  readonly memoryMb: number;
  /** A run of the engine is stopped after this time. */
  readonly stepSeconds: number;
  /** Folder of the runs; shared between hosts and with Slurm nodes. */
  readonly scratch: string;
  /** MiB that must be free in the scratch folder before a run starts. */
  readonly minimumFreeMb: number;
  /** Submissions per day and account. */
  readonly dailyLimit: number;
  /** Predictions by the built-in potential per day and account. */
  readonly predictedDailyLimit: number;
  readonly engines: EngineSettings;
  /** Arguments of every sbatch. */
  readonly slurmArguments: readonly string[];
  /** Path of slurm.conf unless it is in the default place. */
  readonly slurmConf: string | null;
  /** Shell commands before every run on Slurm. */
  readonly slurmPrelude: string | null;
  /** The login node of a cluster that does not include this machine. */
  readonly ssh: SshLogin | null;
}

const MIB = 1024 * 1024;
/** Share of the machine's memory for all runs together. */
const MEMORY_SHARE = 0.6;
/** Number of submissions in the cluster's queue at a time. */
const SLURM_SLOTS = 20;

/** A timer of Node with more than 2^31 - 1 ms fires at once. */
const LONGEST_TIMER_HOURS = 596;

/** Largest value of the quota column (smallint). */
const LARGEST_DAILY_LIMIT = 32_767;

/** Memory available to this process: the machine's, or the container's limit where that is less. */
const memoryBytes = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/** @throws ConfigError with one sentence per invalid variable */
export function readRun4uSettings({ run4u, home }: Pick<Config, 'run4u' | 'home'>): Run4uSettings {
  const problems: string[] = [];
  const text = (name: string): string | null => run4u[name]?.trim() || null;
  const oneOf = <T extends string>(name: string, choices: readonly T[], fallback: T): T => {
    const value = text(name) ?? fallback;
    if (!(choices as readonly string[]).includes(value))
      problems.push(`RUN4U_${name.toUpperCase()} is "${value}": expected ${choices.join(', ')}`);
    return value as T;
  };
  const number = (name: string, fallback: number, minimum: number, maximum = Infinity): number => {
    const value = Number(text(name) ?? fallback);
    if (!(value >= minimum && value <= maximum))
      problems.push(
        `RUN4U_${name.toUpperCase()} is "${text(name)}": expected a number of at least ${minimum}${maximum === Infinity ? '' : ` and at most ${maximum}`}`,
      );
    return value;
  };
  const readSsh = (): SshLogin | null => {
    const host = text('ssh_host');
    if (host === null) return null;
    if (executor !== 'slurm') problems.push('RUN4U_SSH_HOST is set without RUN4U_EXECUTOR=slurm');
    // ssh would read a name beginning with a dash as an option.
    if (!/^[\w.][\w.@:-]*$/.test(host)) problems.push(`RUN4U_SSH_HOST is "${host}": expected user@host`);
    const path = (name: string): string => {
      const value = text(name) ?? '';
      if (!value.startsWith('/'))
        problems.push(`RUN4U_${name.toUpperCase()} is "${value}": expected an absolute path`);
      return value.replace(/\/+$/, '');
    };
    return {
      host,
      port: number('ssh_port', 22, 1, 65_535),
      key: path('ssh_key'),
      knownHosts: path('ssh_known_hosts'),
      folder: path('ssh_folder'),
    };
  };
  const executor = oneOf('executor', ['local', 'slurm'], 'local');
  const engine = oneOf('engine', ['auto', ...ENGINE_NAMES], 'auto');
  const cores = number('cores', 1, 1);
  const slots = number(
    'slots',
    executor === 'slurm' ? SLURM_SLOTS : Math.max(1, Math.floor((availableParallelism() - 1) / cores)),
    0,
  );
  const dailyLimit = number('daily_limit', 3, 0, LARGEST_DAILY_LIMIT);
  const share = Math.floor(
    (MEMORY_SHARE * memoryBytes()) / MIB / (executor === 'slurm' ? 1 : Math.max(1, slots)),
  );
  const settings: Run4uSettings = {
    executor,
    engine: engine === 'auto' ? null : engine,
    preset: oneOf('preset', Object.keys(PRESETS) as PresetName[], 'standard'),
    slots,
    cores,
    memoryMb: number('memory_mb', share, 100),
    stepSeconds:
      number('step_hours', 12, 0.001, executor === 'local' ? LONGEST_TIMER_HOURS : Infinity) * 3600,
    scratch: resolve(text('scratch') ?? `${home}/run4u`),
    minimumFreeMb: number('minimum_free_mb', 500, 0),
    dailyLimit,
    // A daily limit of 0, which closes Run4U, also closes its predictions.
    predictedDailyLimit: number('predicted_daily_limit', dailyLimit === 0 ? 0 : 50, 0, LARGEST_DAILY_LIMIT),
    engines: {
      abinit: { command: words(text('abinit_command') ?? 'abinit'), dataSets: text('data_sets') },
      vasp: { command: words(text('vasp_command') ?? 'vasp_std'), potcars: text('vasp_potcars') },
      template: { command: words(text('template_command') ?? '') },
    },
    slurmArguments: words(text('slurm_arguments') ?? ''),
    slurmConf: text('slurm_conf'),
    slurmPrelude: text('slurm_prelude'),
    ssh: readSsh(),
  };
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return settings;
}
