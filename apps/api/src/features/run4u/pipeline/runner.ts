/**
 * Runs submissions in this worker: claims them by lease, keeps the lease alive, and records how they ended.
 *
 * The rows are authoritative. The runner polls them every few seconds and whenever it is woken, so a lost
 * message, a restarted queue or a dead worker costs only seconds. A lost lease (expired and taken over, or
 * cancelled by the submission's owner) ends the run here at once.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PipelineStep, RunMethod } from '@unitcell/contract/run4u';
import type { Logger } from 'pino';
import type { CalculatedMaterials } from '../../../catalogue/calculated-materials.ts';
import { waitUpTo } from '../../../infra/process.ts';
import { keepRenewing, LeaseLost } from '../../../infra/work-rows.ts';
import type { ReasonCode } from '../../../messages/groups/run4u.ts';
import {
  type Potential,
  type BuiltInEngine,
  type Detection,
  type Engine,
  isBuiltIn,
} from '../engines/engine.ts';
import type { Executor } from '../executors/executor.ts';
import type { Run4uSettings } from '../run4u-settings.ts';
import type { SubmissionState } from '../../../infra/stored-json.ts';
import { AlreadyExists, type Submission, SubmissionFailed, SubmissionPostponed } from '../submission.ts';
import { freeMb } from './calculate.ts';
import { type Lease, LEASE_SECONDS, type LeasesRepository } from './leases.repository.ts';
import { type PredictionTools, predictSubmission } from './predict-submission.ts';
import { folderOf, runSubmission } from './run-submission.ts';

export interface RunnerOptions {
  readonly leases: LeasesRepository;
  readonly materials: PredictionTools['materials'];
  readonly catalogue: CalculatedMaterials;
  readonly executor: Executor;
  readonly detectEngine: () => Promise<Detection>;
  readonly potential: Potential;
  readonly settings: Run4uSettings;
  readonly log: Logger;
  /** Shorter in tests. */
  readonly pollMilliseconds?: number;
  readonly heartbeatMilliseconds?: number;
  readonly programMilliseconds?: number;
}

export interface Runner {
  /** Poll the rows now. */
  wake(): void;
  /** Stops the runs, puts their submissions back into the queue, and resolves when everything is stored. */
  close(): Promise<void>;
}

/** Longest wait for running work when the worker stops: half of the process's grace period. */
const STOP_MILLISECONDS = 5_000;
const POLL_MILLISECONDS = 5_000;
const HEARTBEAT_MILLISECONDS = 3_000;
/** Interval at which a worker without a program searches for one. */
const DETECT_MILLISECONDS = 30_000;
const CLEAN_MILLISECONDS = 60_000;
/**
 * After its start, a worker that can only predict leaves submissions without a chosen method to others for this time,
 * because a worker with a first-principles program may be starting too.
 */
const PROGRAM_MILLISECONDS = 10_000;
/** A failed write (the database restarts) is retried as long as the lease may still be valid. */
const WRITE_RETRY_MILLISECONDS = 1_000;

/** Pause after a fault of our own, such as a lost database connection. */
const OWN_FAULT_SECONDS = 5;

/** PostgreSQL's error classes concern the statement; all other errors concern the connection. */
const isStatementError = (error: unknown): boolean =>
  /^(22|23|42)/.test((error as { code?: string }).code ?? '');

export function startRunner(options: RunnerOptions): Runner {
  const { leases, executor, settings, log } = options;
  const {
    pollMilliseconds = POLL_MILLISECONDS,
    heartbeatMilliseconds = HEARTBEAT_MILLISECONDS,
    programMilliseconds = PROGRAM_MILLISECONDS,
  } = options;
  const owner = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  const stopping = new AbortController();
  const running = new Set<{ readonly isPrediction: boolean; readonly done: Promise<void> }>();
  const startedAt = performance.now();
  let engine: Engine | BuiltInEngine | null = null;
  let missing = '';
  let lookedAt = Number.NEGATIVE_INFINITY;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let cleanedAt = Number.NEGATIVE_INFINITY;
  let wakeUp: () => void = () => undefined;

  /** Writes under the lease and retries while the database is away. @throws LeaseLost */
  async function write(lost: AbortSignal, work: () => Promise<boolean>): Promise<void> {
    for (;;) {
      try {
        if (await work()) return;
        throw new LeaseLost('taken over or cancelled');
      } catch (error) {
        if (error instanceof LeaseLost || isStatementError(error) || lost.aborted) throw error;
        log.warn({ err: error }, 'the database does not answer: trying again');
        await sleep(WRITE_RETRY_MILLISECONDS);
      }
    }
  }

  /** Records how a submission ended without success. */
  async function settle(
    lease: Lease & Pick<Submission, 'state'>,
    error: unknown,
    state: SubmissionState,
    lost: AbortSignal,
  ): Promise<void> {
    const end = (
      status: 'existed' | 'failed',
      reasonCode: string,
      structId: number | null,
      parameters: SubmissionFailed['parameters'],
    ): Promise<void> =>
      write(lost, () =>
        leases.finish(lease, {
          status,
          structId,
          reasonCode,
          reason: (error as Error).message.slice(0, 500),
          state: { ...state, running: null, reasonParameters: parameters },
        }),
      );
    if (error instanceof AlreadyExists) return end('existed', 'existed', error.structId, {});
    if (error instanceof SubmissionFailed) return end('failed', error.reason, null, error.parameters);
    if (error instanceof LeaseLost || lost.reason instanceof LeaseLost) return undefined;
    const back = (
      reasonCode: ReasonCode,
      delaySeconds: number,
      begun = lease.state.begun ?? {},
    ): Promise<void> =>
      write(lost, () => leases.release(lease, reasonCode, { ...state, begun }, delaySeconds));
    // A delay or a shutdown is not a fault of the steps, so starts of steps under this lease are not counted.
    if (error instanceof SubmissionPostponed) return back(error.reason, error.delaySeconds);
    if (stopping.signal.aborted) return back('interrupted', 0);
    log.error({ err: error, submission: lease.id }, 'a submission failed because of an internal error');
    return back('interrupted', OWN_FAULT_SECONDS, state.begun);
  }

  async function run(submission: Submission, program: Engine | null): Promise<void> {
    const { lost, stop } = keepRenewing({
      everyMilliseconds: heartbeatMilliseconds,
      leaseSeconds: LEASE_SECONDS,
      renew: () => leases.extend(submission),
      onFailure: (error) => log.warn({ err: error, submission: submission.id }, 'heartbeat failed'),
    });
    const signal = AbortSignal.any([lost, stopping.signal]);
    const folder = folderOf(settings.scratch, submission.id);
    let known = submission.state;
    log.info(
      { submission: submission.id, formula: submission.formula, attempt: submission.attempt },
      'submission taken',
    );
    try {
      const { materials, catalogue, potential } = options;
      const save = async (step: PipelineStep, saved: SubmissionState): Promise<void> => {
        known = saved;
        await write(signal, () => leases.save(submission, step, saved));
      };
      const state = await (program === null
        ? predictSubmission(submission, { materials, potential: potential.thread, signal, save })
        : runSubmission(submission, {
            context: { engine: program, executor, settings, folder, attempt: submission.attempt, signal },
            materials,
            catalogue,
            reserveStructId: () => leases.reserveStructId(),
            save,
          }));
      const structId = state.reservedId ?? null;
      await write(lost, () =>
        leases.finish(submission, { status: 'finished', structId, reasonCode: '', reason: '', state }),
      );
      await rm(folder, { recursive: true, force: true });
      log.info({ submission: submission.id, structId: state.reservedId }, 'submission finished');
    } catch (error) {
      // The run of a cancelled submission may continue on a cluster: `cleanUp` ends it now.
      if (error instanceof LeaseLost || lost.aborted) cleanedAt = Number.NEGATIVE_INFINITY;
      await settle(submission, error, known, lost).catch((second: unknown) =>
        log.warn(
          { err: second, submission: submission.id },
          'the result of a submission was not stored; it will be retried',
        ),
      );
      log.info({ submission: submission.id, why: (error as Error).message }, 'submission released');
    } finally {
      stop();
    }
  }

  async function lookForEngine(): Promise<void> {
    if ((engine && !isBuiltIn(engine)) || performance.now() - lookedAt < DETECT_MILLISECONDS) return;
    lookedAt = performance.now();
    const executorLacks = await executor.probe();
    const detection = executorLacks
      ? ({ engine: null, missing: executorLacks } as const)
      : await options.detectEngine();
    const before = engine?.name;
    engine = detection.engine;
    const sentence = detection.engine ? '' : detection.missing;
    if (engine && engine.name !== before)
      log.info({ engine: engine.name, version: engine.version, executor: executor.name }, 'engine found');
    if (!engine && sentence !== missing) log.warn({ missing: sentence }, 'no engine: submissions wait');
    missing = sentence;
    reportedAt = Number.NEGATIVE_INFINITY;
  }

  async function report(): Promise<void> {
    if (performance.now() - reportedAt < DETECT_MILLISECONDS) return;
    await leases.reportWorker({
      id: owner,
      host: hostname(),
      executor: executor.name,
      engine: engine?.name ?? null,
      engineVersion: engine?.version ?? '',
      missing,
      slots: settings.slots,
    });
    reportedAt = performance.now();
  }

  /** Ends cluster runs whose submission is over, and deletes unused run folders. */
  async function cleanUp(): Promise<void> {
    if (performance.now() - cleanedAt < CLEAN_MILLISECONDS) return;
    cleanedAt = performance.now();
    for (const { id, handle } of await leases.forgottenRuns()) {
      try {
        if (executor.canFollow(handle)) await executor.cancel(handle);
        await leases.forgetRun(id);
      } catch (error) {
        log.warn({ err: error, submission: id }, 'a run that nobody waits for was not ended: trying again');
      }
    }
    const runs = join(settings.scratch, 'runs');
    const names = (await readdir(runs).catch(() => [])).filter((name) => /^\d{1,9}$/.test(name));
    const needed = new Set(await leases.needFolders(names.map(Number)));
    for (const name of names)
      if (!needed.has(Number(name))) await rm(join(runs, name), { recursive: true, force: true });
  }

  async function fill(): Promise<void> {
    await lookForEngine();
    await report();
    await cleanUp();
    if (!engine || settings.slots === 0) return;
    const program = isBuiltIn(engine) ? null : engine;
    const lots = program
      ? [
          { methods: ['', 'first-principles'] as const, program, slots: settings.slots },
          // Predictions take seconds and have a separate slot, so they do not wait for calculations that take
          // hours.
          { methods: ['prediction'] as const, program: null, slots: 1 },
        ]
      : [{ methods: await methodsWithoutProgram(), program, slots: settings.slots }];
    await mkdir(settings.scratch, { recursive: true });
    if ((await freeMb(settings.scratch)) < settings.minimumFreeMb) {
      await leases.markWaiting('disk-full');
      return;
    }
    for (const lot of lots) await fillLot(lot);
  }

  /**
   * Methods that this worker claims without a program. Submissions without a chosen method are left to
   * workers with a program, if there are any.
   */
  async function methodsWithoutProgram(): Promise<readonly (RunMethod | '')[]> {
    const isSettled = performance.now() - startedAt >= programMilliseconds;
    return isSettled && !(await leases.hasProgram()) ? ['prediction', ''] : ['prediction'];
  }

  /** Claims submissions of these methods, and runs them by the program or, without one, by the potential. */
  async function fillLot({
    methods,
    program,
    slots,
  }: {
    readonly methods: readonly (RunMethod | '')[];
    readonly program: Engine | null;
    readonly slots: number;
  }): Promise<void> {
    const isPrediction = program === null;
    const busy = (): number => [...running].filter((one) => one.isPrediction === isPrediction).length;
    while (busy() < slots && !stopping.signal.aborted) {
      const submission = await leases.claim(owner, methods);
      if (!submission) return;
      const begun = {
        isPrediction,
        done: run(submission, program).finally(() => {
          running.delete(begun);
          wakeUp();
        }),
      };
      running.add(begun);
    }
  }

  const looking = (async () => {
    while (!stopping.signal.aborted) {
      await fill().catch((error: unknown) => log.warn({ err: error }, 'submissions could not be read'));
      const pause = new AbortController();
      wakeUp = () => pause.abort();
      await sleep(pollMilliseconds, undefined, {
        signal: AbortSignal.any([pause.signal, stopping.signal]),
        ref: false,
      }).catch(() => undefined);
    }
  })();

  return {
    wake: () => wakeUp(),
    async close() {
      stopping.abort(new Error('the worker is stopping'));
      // Another worker takes over the remaining work when the lease expires.
      await waitUpTo(
        STOP_MILLISECONDS,
        Promise.allSettled([looking, ...[...running].map(({ done }) => done)]),
      );
      await waitUpTo(
        STOP_MILLISECONDS,
        leases.removeWorker(owner).catch(() => undefined),
      );
      await options.potential.close();
    },
  };
}
