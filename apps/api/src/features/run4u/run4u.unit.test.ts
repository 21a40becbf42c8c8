import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orderedSite, type Structure } from '@unitcell/crystal';
import type { RelaxationStep } from '@unitcell/potential';
import { courseWriter, emptyCourse, MAX_FRAMES, readCourse } from './engines/relaxation-course.ts';
import { describe, expect, it } from 'vitest';
import { batchScript, causeOf, secondsOfTimes, slurmExecutor } from './executors/slurm-executor.ts';
import { ownCluster, sshArguments, type SshLogin, sshTrouble } from './executors/cluster.ts';
import { readRun4uSettings } from './run4u-settings.ts';
import type { PredictedTask } from '@unitcell/contract/run4u';
import { type EstimatorInput, estimator } from './estimate.ts';
import { standardGeometry } from './pipeline/calculate.ts';

describe('the batch script', () => {
  it('quotes names with blanks and quotes, and writes its result by rename', () => {
    const script = batchScript({
      folder: "/tmp/it's here",
      command: ['mpirun', '-np', '2', 'a b'],
      limits: { cores: 2, memoryMb: 100, seconds: 60 },
      name: 'x',
    });
    expect(script).toContain(String.raw`cd '/tmp/it'\''s here' || exit 97`);
    expect(script).toContain("'mpirun' '-np' '2' 'a b' > log 2>&1");
    expect(script).toContain('mv done.json.part done.json');
  });

  it('prints processor times in a form that is parsed; job states of Slurm are parsed too', () => {
    expect(secondsOfTimes('0m1.230s 1m0.110s')).toBeCloseTo(61.34, 6);
    expect(causeOf('JobId=1 JobState=TIMEOUT Reason=TimeLimit', '')).toBe('time-limit');
    expect(causeOf('JobId=1 JobState=OUT_OF_MEMORY', '')).toBe('out-of-memory');
    expect(
      causeOf('JobId=1 JobState=FAILED', 'slurmstepd: error: Step 1.0 exceeded memory limit (9 > 5)'),
    ).toBe('out-of-memory');
    for (const state of ['NODE_FAIL', 'PREEMPTED', 'BOOT_FAIL', 'CANCELLED', ''])
      expect(causeOf(`JobState=${state}`, '')).toBe('lost');
  });
});

it('a job that Slurm accepted although sbatch timed out runs nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'unitcell-late-'));
  const own = ownCluster('/usr/bin:/bin');
  let taken = '';
  const { start } = slurmExecutor({
    cluster: {
      ...own,
      call: async (program, parameters) => {
        if (program !== 'sbatch') return own.call(program, parameters);
        taken = readFileSync(parameters.at(-1)!, 'utf8');
        throw new Error('sbatch timed out');
      },
    },
    sbatchArguments: [],
  });
  const run = { folder, command: ['true'], limits: { cores: 1, memoryMb: 1, seconds: 1 }, name: 'x' };
  await expect(start(run)).rejects.toThrow('sbatch timed out');
  expect(spawnSync('sh', { input: taken }).status).toBe(97);
});

describe('the end of a run on a cluster', () => {
  const answering = (stderr: string) =>
    slurmExecutor({
      cluster: {
        ...ownCluster(''),
        call: () => Promise.reject(Object.assign(new Error('scancel failed'), { stderr })),
      },
      sbatchArguments: [],
    });

  it('fails while the controller does not answer, so that it is tried again', async () => {
    const message = 'scancel: error: Unable to contact slurm controller (connect failure)';
    await expect(answering(message).cancel('slurm:7')).rejects.toThrow('scancel failed');
  });

  it.each(['Invalid job id specified', 'Job/step already completing or completed'])(
    'is no error if the answer is: %s',
    async (answer) => {
      const message = `scancel: error: Kill job error on job id 7: ${answer}`;
      await expect(answering(message).cancel('slurm:7')).resolves.toBeUndefined();
    },
  );
});

const LOGIN: SshLogin = {
  host: 'marie@login.example.org',
  port: 22,
  key: '/keys/id',
  knownHosts: '/keys/known_hosts',
  folder: '/scratch/unitcell',
};

describe('the ssh login', () => {
  const run4u = {
    executor: 'slurm',
    ssh_host: 'marie@login.example.org',
    ssh_key: '/keys/id',
    ssh_known_hosts: '/keys/known_hosts',
    ssh_folder: '/scratch/unitcell/',
  };

  it('is read from the environment', () => {
    expect(readRun4uSettings({ home: '/tmp', run4u }).ssh).toEqual(LOGIN);
    expect(readRun4uSettings({ home: '/tmp', run4u: {} }).ssh).toBeNull();
  });

  it.each([
    [{ ssh_host: '-oProxyCommand=sh' }, 'RUN4U_SSH_HOST is "-oProxyCommand=sh": expected user@host'],
    [{ ssh_key: 'id' }, 'RUN4U_SSH_KEY is "id": expected an absolute path'],
    [{ ssh_folder: '' }, 'RUN4U_SSH_FOLDER is "": expected an absolute path'],
    [{ executor: 'local' }, 'RUN4U_SSH_HOST is set without RUN4U_EXECUTOR=slurm'],
  ])('rejects %o at boot', (wrong, sentence) => {
    expect(() => readRun4uSettings({ home: '/tmp', run4u: { ...run4u, ...wrong } })).toThrow(sentence);
  });

  it('uses keys only, never prompts and accepts no unknown host', () => {
    const options = sshArguments(LOGIN);
    for (const option of ['BatchMode=yes', 'StrictHostKeyChecking=yes', 'PreferredAuthentications=publickey'])
      expect(options).toContain(option);
  });

  it('translates ssh errors for the operator', () => {
    expect(sshTrouble('Host key verification failed.', LOGIN)).toContain('another host key');
    expect(sshTrouble('marie@x: Permission denied (publickey).', LOGIN)).toContain('authorized_keys');
    expect(sshTrouble('ssh: connect to host x port 22: Connection refused', LOGIN)).toContain('refused');
  });
});

const input = (more: Partial<EstimatorInput>): EstimatorInput => ({
  queue: [
    { id: 1, ahead: 0, nSites: 2, tasks: [] },
    { id: 2, ahead: 1, nSites: 2, tasks: [] },
    { id: 3, ahead: 2, nSites: 8, tasks: [] },
  ],
  running: [],
  finished: [],
  preset: 'standard',
  slots: 1,
  ...more,
});

describe('estimator', () => {
  it('is based on measured times: NaCl and Si take about a minute', () => {
    const first = estimator(input({})).ofWaiting(1) ?? 0;
    expect(first).toBeGreaterThan(20);
    expect(first).toBeLessThan(120);
  });

  it('adds the time of running and earlier waiting calculations, divided by the slots', () => {
    const one = estimator(input({}));
    expect(one.ofWaiting(2)).toBeCloseTo(2 * (one.ofWaiting(1) ?? 0), 9);
    const own = estimator(input({})).ofWaiting(1) ?? 0;
    const behind = estimator(input({ running: [{ nSites: 2, tasks: [], seconds: 0 }] })).ofWaiting(1) ?? 0;
    expect(behind).toBeCloseTo(2 * own, 9);
    expect(estimator(input({ slots: 2 })).ofWaiting(2)).toBeCloseTo(1.5 * own, 9);
  });

  it('expects a new submission to start at once only if running and waiting submissions leave a slot free', () => {
    const running = [{ nSites: 2, tasks: [], seconds: 0 }];
    expect(estimator(input({ running, slots: 5 })).untilStart()).toBe(0);
    expect(estimator(input({ running, slots: 4 })).untilStart()).toBeGreaterThan(0);
  });

  it('adapts to the speed of this machine', () => {
    const usual = estimator(input({})).ofWaiting(1) ?? 0;
    const finished = [usual, usual, usual].map((seconds) => ({ nSites: 2, tasks: [], seconds: seconds * 3 }));
    expect(estimator(input({ finished })).ofWaiting(1)).toBeCloseTo(3 * usual, 9);
    expect(estimator(input({ finished: finished.slice(0, 2) })).ofWaiting(1)).toBeCloseTo(usual, 9);
  });

  it('expects a prediction with phonons and an elastic tensor to take longer than one without, both waiting and running', () => {
    const tasks: readonly PredictedTask[] = ['elastic', 'phonons'];
    const potential = { preset: 'sevennet-0', queue: [] } as const;
    const plain = estimator(input(potential)).ofRun({ nSites: 10, tasks: [] });
    const full = estimator(input(potential)).ofRun({ nSites: 10, tasks });
    expect(full).toBeGreaterThan(1.5 * plain);
    // The relaxation has finished, the phonons have not.
    expect(estimator(input(potential)).ofRunning({ nSites: 10, tasks }, plain)).toBeCloseTo(full - plain, 9);
    const waiting = { id: 4, ahead: 0, nSites: 10, tasks };
    expect(estimator(input({ ...potential, queue: [waiting] })).ofWaiting(4)).toBeCloseTo(full, 9);
  });

  it('expects a first-principles calculation with tasks to take several times as long as one without', () => {
    const plain = estimator(input({})).ofRun({ nSites: 2, tasks: [] });
    expect(estimator(input({})).ofRun({ nSites: 2, tasks: ['elastic'] })).toBeGreaterThan(3 * plain);
  });

  it('does not estimate more time for a prediction without tasks after earlier predictions with many tasks', () => {
    const plain = estimator(input({ preset: 'sevennet-0' })).ofRun({ nSites: 10, tasks: [] });
    const tasks: readonly PredictedTask[] = ['eos', 'elastic', 'phonons'];
    const seconds = estimator(input({ preset: 'sevennet-0' })).ofRun({ nSites: 10, tasks });
    const finished = [1, 2, 3].map(() => ({ nSites: 10, tasks, seconds }));
    const later = estimator(input({ preset: 'sevennet-0', finished }));
    expect(later.ofRun({ nSites: 10, tasks: [] })).toBeCloseTo(plain, 9);
  });

  it('always expects some remaining time for overdue calculations, and gives no estimate without slots', () => {
    expect(estimator(input({})).ofRunning({ nSites: 2, tasks: [] }, 1e6)).toBeGreaterThan(0);
    expect(estimator(input({ slots: 0 })).ofWaiting(1)).toBeNull();
    expect(estimator(input({})).ofWaiting(99)).toBeNull();
  });
});

/** Caesium chloride with its chlorine moved along x, so that only this displacement determines the symmetry. */
const displaced = (angstrom: number): Structure => ({
  latticeVectors: [
    [4.12, 0, 0],
    [0, 4.12, 0],
    [0, 0, 4.12],
  ],
  sites: [orderedSite('Cs', [0, 0, 0]), orderedSite('Cl', [0.5 + angstrom / 4.12, 0.5, 0.5])],
});

it('a calculation restores symmetry lost by rounding but keeps a distortion of 0.05 Å', () => {
  const path = (angstrom: number) => standardGeometry(displaced(angstrom), 'standard').kLabels.length;
  expect(path(0.001)).toBe(path(0));
  expect(path(0.05)).not.toBe(path(0));
});

it.each(['-1', 'many', '32768', '1e9'])('readRun4uSettings rejects a daily limit of %s', (daily_limit) => {
  expect(() => readRun4uSettings({ home: '/tmp', run4u: { daily_limit } })).toThrow(
    `RUN4U_DAILY_LIMIT is "${daily_limit}": expected a number of at least 0 and at most 32767`,
  );
});

it('readRun4uSettings rejects a time limit that is longer than a timer can wait', () => {
  const settings = (step_hours: string, executor: string) =>
    readRun4uSettings({ run4u: { step_hours, executor }, home: '/x' }).stepSeconds;
  expect(() => settings('1000', 'local')).toThrow('RUN4U_STEP_HOURS');
  expect(settings('596', 'local') * 1000).toBeLessThan(2 ** 31);
  expect(settings('1000', 'slurm')).toBe(3_600_000);
});

it('readRun4uSettings accepts the largest daily limit that the database column holds', () => {
  expect(readRun4uSettings({ home: '/tmp', run4u: { daily_limit: '32767' } }).dailyLimit).toBe(32_767);
});

describe('the course of a relaxation', () => {
  const latticeVectors: Structure['latticeVectors'] = [
    [4, 0, 0],
    [0, 4, 0],
    [0, 0, 4],
  ];
  function written(atoms: number, steps: number): SharedArrayBuffer {
    const buffer = emptyCourse(atoms);
    const write = courseWriter(buffer, atoms);
    for (let step = 0; step < steps; step++) {
      const sites = Array.from({ length: atoms }, (_, k) => orderedSite('Na', [step / 1000, k / atoms, 0.5]));
      const evaluation = { energy: -3 * atoms - step } as RelaxationStep['evaluation'];
      write({ structure: { latticeVectors, sites }, evaluation, largestForce: 1 / (1 + step), steps: step });
    }
    return buffer;
  }

  it('has only the last structure while it runs, and none before the first step', () => {
    expect(readCourse(emptyCourse(2), 2, 1)).toEqual({ energies: [], forces: [], frames: [] });
    const { energies, frames } = readCourse(written(2, 5), 2, 1);
    expect(energies).toEqual([-3, -3.5, -4, -4.5, -5]);
    expect(frames).toEqual([
      { step: 4, lattice: latticeVectors.flat(), positions: [0.004, 0, 0.5, 0.004, 0.5, 0.5] },
    ]);
  });

  it('has at most 60 frames and 12,000 coordinates, including the first and the last frame', () => {
    const pathOf = (atoms: number, steps: number): number[] =>
      (readCourse(written(atoms, steps), atoms, MAX_FRAMES).frames ?? []).map(({ step }) => step);
    expect(pathOf(2, 4)).toEqual([0, 1, 2, 3]);
    const long = pathOf(2, 301);
    expect([long.length, long[0], long.at(-1)]).toEqual([60, 0, 300]);
    const large = pathOf(200, 301);
    expect([large.length, large[0], large.at(-1)]).toEqual([20, 0, 300]);
  });
});
