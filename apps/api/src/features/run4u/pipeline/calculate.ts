/**
 * One calculation of the engine, with its retries: write the input, run it (or attach to the run that another
 * worker started), read the output. Each attempt has its own folder, so that files of a broken attempt are
 * never read as a result.
 */
import { constants } from 'node:fs';
import { copyFile, link, mkdir, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CalculationStep,
  CalculatorError,
  type DataSet,
  elementMoments,
  guessIsMetal,
  hubbardU,
  PRESETS,
  type PresetName,
  type RunOutput,
  sampleBandPath,
  startingMoments,
  type StepRequest,
  type StepResults,
} from '@unitcell/calculators';
import { type CompactCell, fromCompactCell, type Structure, toCompactCell } from '@unitcell/crystal';
import { kPath } from '@unitcell/symmetry';
import type { Engine } from '../engines/engine.ts';
import type { Executor, RunRequest, RunResult } from '../executors/executor.ts';
import type { Run4uSettings } from '../run4u-settings.ts';
import type { SubmissionState } from '../../../infra/stored-json.ts';
import { SubmissionFailed, SubmissionPostponed } from '../submission.ts';

/** A larger file is not read as a result. The largest known density of states has 3 MB. */
const MAX_READ_BYTES = 200 * 1024 * 1024;
/** Consecutive infrastructure faults (engine killed, node lost) before a submission fails. */
export const MAX_FAULTS = 3;
const FAULT_DELAY_SECONDS = 5;
const DISK_DELAY_SECONDS = 60;

/** Context shared by the steps of one submission. */
export interface RunContext {
  readonly title: string;
  readonly preset: PresetName;
  readonly dataSets: Readonly<Record<string, DataSet>>;
  readonly engine: Engine;
  readonly executor: Executor;
  readonly settings: Run4uSettings;
  /** The folder of the submission. */
  readonly folder: string;
  /** Number of the lease. It is part of folder names, so that two lease holders never share a folder. */
  readonly attempt: number;
  readonly signal: AbortSignal;
  /** Stores the state; rejects when the lease is lost. */
  save(state: SubmissionState): Promise<void>;
}

/** Å. Restores symmetry that was lost by rounding in the file, and adds no other symmetry. */
export const CALCULATION_SYMPREC = 0.01;

/**
 * Placeholder elements for spin-down sites, so that symmetry analysis distinguishes them from spin-up sites.
 * None forms magnetic crystals.
 */
const PLACEHOLDERS = ['He', 'Ne', 'Ar', 'Kr', 'Xe', 'Rn'] as const;

/**
 * The structure with placeholder elements on the spin-down sites, and the function that restores the elements
 * and moments.
 */
function withPlaceholders(structure: Structure, moments: readonly number[]) {
  const elements = new Set(structure.sites.map(({ species }) => species[0]!.element));
  const momentOf = elementMoments(structure);
  const free = PLACEHOLDERS.filter((element) => !elements.has(element));
  const down = new Set(
    structure.sites.flatMap(({ species }, at) => (moments[at]! < 0 ? [species[0]!.element] : [])),
  );
  const placeholders = new Map(
    [...down].map((element, at): [string, string] => [element, free[at] ?? element]),
  );
  const originals = new Map([...placeholders].map(([element, placeholder]) => [placeholder, element]));
  const changed = (from: Structure, map: (element: string, at: number) => string): Structure => ({
    ...from,
    sites: from.sites.map((site, at) => ({
      ...site,
      species: [{ element: map(site.species[0]!.element, at), occupancy: 1 }],
    })),
  });
  return {
    marked: changed(structure, (element, at) => (moments[at]! < 0 ? placeholders.get(element)! : element)),
    unmarked: (cell: Structure) => ({
      cell: changed(cell, (element) => originals.get(element) ?? element),
      moments: cell.sites.map(({ species }) => {
        const { element } = species[0]!;
        const original = originals.get(element);
        return original === undefined ? momentOf(element) : -momentOf(original);
      }),
    }),
  };
}

/**
 * The standard primitive cell of a structure, the initial guesses, and the band path with k-points that refer
 * to exactly this cell.
 * @param moments moments of the sites; the cell and symmetry of an antiferromagnetic order are kept
 */
export function standardGeometry(structure: Structure, preset: PresetName, moments?: readonly number[]) {
  const order = moments?.some((moment) => moment < 0) ? withPlaceholders(structure, moments) : null;
  const path = kPath(order?.marked ?? structure, { symprec: CALCULATION_SYMPREC });
  const { reciprocalLattice } = path;
  const standard = order?.unmarked(path.primitiveStandard);
  const primitiveStandard = standard?.cell ?? path.primitiveStandard;
  const { kPoints, kDistance, labels } = sampleBandPath(path, PRESETS[preset].bandDensity);
  return {
    cell: toCompactCell(primitiveStandard),
    moments: standard?.moments ?? startingMoments(primitiveStandard),
    isMetal: guessIsMetal(primitiveStandard),
    kPoints,
    kDistance,
    kLabels: labels,
    reciprocalLattice,
  } satisfies Partial<SubmissionState>;
}

/** Hubbard U of the elements if the submission requested it; otherwise empty. */
export const hubbardOf = ({ physics = [] }: SubmissionState, cell: CompactCell) =>
  physics.includes('hubbard-u') ? hubbardU(elementsOf(cell)) : {};

export const elementsOf = (cell: CompactCell): string[] => [...new Set(cell.species.map(String))].sort();

function stepRequest<S extends CalculationStep>(
  step: S,
  state: SubmissionState,
  { title, preset, dataSets }: RunContext,
): StepRequest & { readonly step: S } {
  const structure = fromCompactCell(state.cell!);
  return {
    step,
    title,
    structure,
    preset,
    moments: state.moments ?? null,
    isMetal: state.isMetal ?? false,
    dataSets,
    hubbardU: hubbardOf(state, state.cell!),
    hasDispersion: state.physics?.includes('dispersion') ?? false,
    workarounds: state.workarounds ?? [],
    ...(step === 'bands' ? { kPoints: state.kPoints ?? [] } : {}),
    ...(state.fermiEnergy === undefined ? {} : { fermiEnergy: state.fermiEnergy }),
  };
}

/** MiB free in the scratch folder. */
export async function freeMb(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return (bavail * bsize) / 1024 / 1024;
}

const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as { code?: string }).code ?? '');

/** Contents of the files a calculator reads. Fortran programs write Latin-1. */
async function readFiles(folder: string, wanted: RegExp): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const name of await readdir(folder).catch(() => [] as string[])) {
    if (!wanted.test(name)) continue;
    const bytes = await readFile(join(folder, name));
    texts[name] = bytes.subarray(0, MAX_READ_BYTES).toString('latin1');
  }
  return texts;
}

async function setUp(
  request: StepRequest,
  name: string,
  state: SubmissionState,
  context: RunContext,
): Promise<void> {
  const folder = join(context.folder, name);
  const plan = context.engine.calculator.plan(request);
  await mkdir(folder, { recursive: true });
  await context.engine.prepare(request, folder);
  for (const [file, text] of Object.entries(plan.files)) await writeFile(join(folder, file), text);
  for (const needed of plan.needs) {
    const from = join(context.folder, state.folders?.[needed.step] ?? needed.step, needed.file);
    const to = join(folder, needed.as);
    // A hard link takes no time or space. Another file system requires a copy.
    await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_FICLONE));
  }
}

interface Underway {
  readonly run: RunRequest;
  readonly handle: string;
  readonly name: string;
  readonly state: SubmissionState;
}

/** Attaches to the running run, or starts one. */
async function begin(request: StepRequest, state: SubmissionState, context: RunContext): Promise<Underway> {
  const { engine, executor, settings } = context;
  const { cores, memoryMb, stepSeconds } = settings;
  const runIn = (name: string): RunRequest => ({
    folder: join(context.folder, name),
    command: engine.command(request, stepSeconds),
    limits: { cores, memoryMb, seconds: stepSeconds },
    name: `run4u-${context.title}-${request.step}`.replaceAll(/[^\w.-]/g, '-').slice(0, 60),
  });
  if (state.running) {
    const { folder: name, handle } = state.running;
    return { run: runIn(name), handle, name, state };
  }
  const name = `${request.step}-${context.attempt}-${(state.runs ?? []).length + (state.faults ?? 0)}`;
  await rm(join(context.folder, name), { recursive: true, force: true });
  await setUp(request, name, state, context);
  const run = runIn(name);
  context.signal.throwIfAborted();
  const handle = await executor.start(run);
  const underway = { ...state, running: { folder: name, handle } };
  try {
    await context.save(underway);
  } catch (error) {
    // The error of `save` decides what happens to the submission, so an error of `cancel` is ignored.
    await executor.cancel(handle).catch(() => undefined);
    throw error;
  }
  return { run, handle, name, state: underway };
}

/** Counts an infrastructure fault; too many consecutive faults end the submission. */
async function fault(state: SubmissionState, context: RunContext, detail: string): Promise<never> {
  const faults = (state.faults ?? 0) + 1;
  await context.save({ ...state, running: null, faults });
  if (faults > MAX_FAULTS) throw new SubmissionFailed('engine-crashed', { detail });
  throw new SubmissionPostponed('interrupted', FAULT_DELAY_SECONDS * 2 ** (faults - 1));
}

/** A relaxation that was cut off continues from the last geometry that it wrote. */
async function salvage(
  request: StepRequest,
  folder: string,
  state: SubmissionState,
  { engine }: RunContext,
): Promise<SubmissionState> {
  if (request.step !== 'relax') return state;
  const { reads } = engine.calculator.plan(request);
  const geometry = engine.calculator.resume(request, await readFiles(folder, reads));
  return geometry ? { ...state, cell: toCompactCell(geometry) } : state;
}

/** Removes from the state a run that died with its worker, but keeps the geometry that the run reached. */
async function withoutDeadRun(
  step: CalculationStep,
  state: SubmissionState,
  context: RunContext,
): Promise<SubmissionState> {
  const { executor, folder } = context;
  if (!state.running || executor.canFollow(state.running.handle)) return state;
  const request = stepRequest(step, state, context);
  return { ...(await salvage(request, join(folder, state.running.folder), state, context)), running: null };
}

function limitReached(cause: RunResult['cause'], { memoryMb, stepSeconds }: Run4uSettings): void {
  if (cause === 'out-of-memory') throw new SubmissionFailed('out-of-memory', { memoryMb });
  if (cause === 'time-limit')
    throw new SubmissionFailed('time-limit', { hours: Number((stepSeconds / 3600).toFixed(2)) });
}

export interface Calculated<S extends CalculationStep> {
  readonly result: StepResults[S];
  readonly state: SubmissionState;
}

/**
 * Runs one calculation to its end.
 * @throws SubmissionFailed, SubmissionPostponed, LeaseLost (from save), or the signal's reason
 */
export async function calculate<S extends CalculationStep>(
  step: S,
  given: SubmissionState,
  context: RunContext,
): Promise<Calculated<S>> {
  const { engine, executor, settings } = context;
  let state = await withoutDeadRun(step, given, context);
  for (;;) {
    const request = stepRequest(step, state, context);
    let underway: Underway;
    try {
      underway = await begin(request, state, context);
    } catch (error) {
      if (isDiskFull(error)) throw new SubmissionPostponed('disk-full', DISK_DELAY_SECONDS);
      if (error instanceof CalculatorError)
        throw new SubmissionFailed('not-calculable', { detail: error.message });
      throw error;
    }
    const { run, handle, name } = underway;
    const ended = await executor.wait(handle, run, context.signal);
    state = { ...underway.state, running: null };
    if (ended.cause === 'lost')
      return fault(await salvage(request, run.folder, state, context), context, 'the run was lost');
    state = {
      ...state,
      runs: [
        ...(state.runs ?? []),
        {
          step,
          wallSeconds: Number(ended.wallSeconds.toFixed(1)),
          cpuSeconds: Number(ended.cpuSeconds.toFixed(1)),
          peakMb: Math.round(ended.peakMb),
        },
      ],
    };
    limitReached(ended.cause, settings);
    const plan = engine.calculator.plan(request);
    const output: RunOutput = { ...ended, files: await readFiles(run.folder, plan.reads) };
    const outcome = engine.calculator.read(request, output);
    if (outcome.kind === 'done') {
      const done: SubmissionState = {
        ...state,
        workarounds: [],
        folders: { ...state.folders, [step]: name },
        settings: { ...state.settings, [step]: plan.settings },
        warnings: [...new Set([...(state.warnings ?? []), ...outcome.warnings])],
      };
      return { result: outcome.result, state: done };
    }
    if (outcome.kind === 'retry') {
      state = {
        ...state,
        workarounds: outcome.workarounds,
        ...(outcome.structure ? { cell: toCompactCell(outcome.structure) } : {}),
      };
      await context.save(state);
      continue;
    }
    if ((await freeMb(context.folder)) < settings.minimumFreeMb)
      throw new SubmissionPostponed('disk-full', DISK_DELAY_SECONDS);
    // The engine was killed from outside or crashed without a message, so the calculation may not be at fault.
    if (ended.signal !== null || outcome.code === 'engine-crashed')
      return fault(state, context, outcome.detail);
    throw new SubmissionFailed(outcome.code === 'out-of-memory' ? 'out-of-memory' : outcome.code, {
      detail: outcome.detail,
      memoryMb: settings.memoryMb,
      hours: Number((settings.stepSeconds / 3600).toFixed(2)),
    });
  }
}

/** Reads the result of a finished step from its folder; null when the folder is missing or damaged. */
export async function recall<S extends CalculationStep>(
  step: S,
  state: SubmissionState,
  context: RunContext,
): Promise<StepResults[S] | null> {
  const name = state.folders?.[step];
  if (name === undefined) return null;
  const request = stepRequest(step, state, context);
  const { reads } = context.engine.calculator.plan(request);
  const files = await readFiles(join(context.folder, name), reads);
  const outcome = context.engine.calculator.read(request, { exitCode: 0, signal: null, files });
  return outcome.kind === 'done' ? outcome.result : null;
}
