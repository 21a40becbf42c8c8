import { describe, expect, it } from 'vitest';
import { batchScript, causeOf, secondsOfTimes } from './executors/slurm-executor.ts';
import { sshArguments, type SshLogin, sshTrouble } from './executors/cluster.ts';
import { readRun4uSettings } from './run4u-settings.ts';

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

  it('has output whose times and Slurm job states are parsed', () => {
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
