import { once } from 'node:events';
import { expect, it } from 'vitest';
import type { Executor, RunResult } from './executors/executor.ts';
import { localExecutor } from './executors/local-executor.ts';
import { operationsRepository } from './operations.repository.ts';
import { submissionsRepository } from './submissions.repository.ts';
import { isFinished, openWorkerFixture } from './testing/worker-fixture.ts';

/** An executor whose runs continue when the worker stops waiting for them, as on a cluster. */
function cluster(): Executor {
  const local = localExecutor(process.env.PATH ?? '');
  const runs = new Map<string, Promise<RunResult>>();
  return {
    ...local,
    canFollow: () => true,
    async wait(handle, request, signal) {
      const run = runs.get(handle) ?? local.wait(handle, request, new AbortController().signal);
      runs.set(handle, run);
      await Promise.race([run, once(signal, 'abort')]);
      signal.throwIfAborted();
      return run;
    },
  };
}

it('a cancelled submission that is queued again continues its run on the cluster and starts no second one', async () => {
  const fixture = await openWorkerFixture();
  try {
    fixture.behave({ relax: 'wait' });
    const executor = cluster();
    const first = fixture.startRunner({ executor });
    const id = await fixture.submit();
    await fixture.until(id, ({ state }) => Boolean(state.running));
    await first.close();
    const { cancel } = submissionsRepository(fixture.database);
    expect(await cancel(id, null, 'cancelled-by-operator', 'UTC')).toBe(true);
    expect(await operationsRepository(fixture.database).retry(id)).toBe(true);
    fixture.startRunner({ executor });
    await fixture.until(id, ({ status }) => status === 'running');
    fixture.behave({});
    await fixture.until(id, isFinished);
    expect(fixture.stepsBegun()).toEqual(['relax', 'static', 'bands', 'dos']);
  } finally {
    await fixture.close();
  }
});
