/** ABINIT with the PAW data sets of gpaw-data: Debian's packages `abinit` and `gpaw-data`. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { abinit, type DataSet, PRESETS, readableGrids, readDataSetHead } from '@unitcell/calculators';
import { findProgram } from '../executors/executor.ts';
import { quote, sshCluster } from '../executors/cluster.ts';
import type { Run4uSettings } from '../run4u-settings.ts';
import type { ProgramDetection } from './engine.ts';

/** Install path of Debian's gpaw-data. */
const DEBIAN_DATA_SETS = '/usr/share/gpaw-setups';
const unzip = promisify(gunzip);
const run = promisify(execFile);

const INSTALL = 'install Debian’s packages abinit, gpaw-data and libopenblas0-pthread';
/** Share of the wall time that the engine gets as its own limit, so that it can still write its files. */
const TIME_SHARE = 0.95;

const clock = (seconds: number): string => {
  const whole = Math.max(1, Math.floor(seconds));
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor((whole % 3600) / 60))}:${two(whole % 60)}`;
};

/** The version printed by the program, on this machine or on the cluster. */
async function versionOf(program: string, settings: Run4uSettings, searchPath: string): Promise<string> {
  const { ssh, scratch, slurmPrelude } = settings;
  const { stdout } = ssh
    ? {
        stdout: await sshCluster(ssh, scratch, searchPath)
          .call('sh', ['-lc', `${slurmPrelude ?? ':'}\n${quote(program)} --version`])
          // The login node may not be able to run programs of the compute nodes.
          .catch(() => 'unknown'),
      }
    : await run(program, ['--version'], { timeout: 20_000, env: { PATH: searchPath, LC_ALL: 'C' } });
  return /\d+(\.\d+)+/.exec(stdout)?.[0] ?? stdout.trim().slice(0, 20);
}

export async function detectAbinit(settings: Run4uSettings, searchPath: string): Promise<ProgramDetection> {
  const [name = 'abinit', ...parameters] = settings.engines.abinit.command;
  const program = settings.ssh ? name : findProgram(name, searchPath);
  if (!program) return { engine: null, missing: `${name} is not on this machine: ${INSTALL}` };
  const source = settings.engines.abinit.dataSets ?? DEBIAN_DATA_SETS;
  if (!existsSync(source))
    return {
      engine: null,
      missing: `there is no folder of PAW data sets at ${source}: ${INSTALL}, or set RUN4U_DATA_SETS`,
    };
  let version: string;
  try {
    // The version printed by a launcher such as mpirun is not the engine's.
    version = parameters.length === 0 ? await versionOf(program, settings, searchPath) : 'unknown';
  } catch (error) {
    return {
      engine: null,
      missing: `${program} does not start (${(error as Error).message.split('\n')[0]}): ${INSTALL}`,
    };
  }
  const unpacked = join(settings.scratch, 'data-sets');
  const heads = new Map<string, Promise<DataSet | null>>();

  /** Unpacks a data set once. The file is renamed into place, so that a partial file is never read. */
  async function load(element: string): Promise<DataSet | null> {
    const packed = join(source, `${element}.PBE.gz`);
    if (!existsSync(packed)) return null;
    const original = (await unzip(await readFile(packed))) as Buffer;
    const xml = readableGrids(original.toString('latin1'));
    const fileName = `${element}.PBE.xml`;
    await mkdir(unpacked, { recursive: true });
    if (!existsSync(join(unpacked, fileName))) {
      const part = join(unpacked, `.${fileName}.${process.pid}`);
      await writeFile(part, xml, 'latin1');
      await rename(part, join(unpacked, fileName));
    }
    const { valence } = readDataSetHead(xml.slice(0, 8192));
    return { element, fileName, valence, sha256: createHash('sha256').update(original).digest('hex') };
  }
  const dataSetOf = (element: string): Promise<DataSet | null> => {
    const known = heads.get(element);
    if (known) return known;
    const loading = load(element);
    heads.set(element, loading);
    loading.catch(() => heads.delete(element));
    return loading;
  };

  return {
    engine: {
      name: 'abinit',
      version,
      calculator: abinit,
      energyScale: (functional) =>
        `${functional} (ABINIT, gpaw-data, ${PRESETS[settings.preset].cutoffHa} Ha)`,
      async dataSets(elements) {
        const found: Record<string, DataSet> = {};
        const missing: string[] = [];
        for (const element of elements) {
          const dataSet = await dataSetOf(element);
          if (dataSet) found[element] = dataSet;
          else missing.push(element);
        }
        return { found, missing };
      },
      async prepare(request, folder) {
        for (const { fileName } of Object.values(request.dataSets))
          await copyFile(join(unpacked, fileName), join(folder, fileName), constants.COPYFILE_FICLONE);
      },
      command: ({ step }, seconds) => [
        program,
        ...parameters,
        'run.abi',
        // ABINIT refuses a time limit for an input that contains several datasets (calculations).
        ...(step === 'elastic' || step === 'phonons' ? [] : ['--timelimit', clock(seconds * TIME_SHARE)]),
      ],
    },
  };
}
