import { describe, expect, it } from 'vitest';
import { batchScript, causeOf, secondsOfTimes } from './executors/slurm-executor.ts';

describe('the batch script', () => {
  it('survives blanks and quotes in names, and reports by rename', () => {
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

  it('understands the shell’s times and Slurm’s words', () => {
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
