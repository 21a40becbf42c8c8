/**
 * Takes one submission through its remaining steps. The row records every finished step, so the work may be
 * stopped at any point and continued by any worker.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { electronicStructure, hasVanished, magneticOrderings, type StepResults } from '@unitcell/calculators';
import type { PipelineStep, ProgramStep, ResponseTask } from '@unitcell/contract/run4u';
import { compositionOf, fromCompactCell, reducedFormula, toCompactCell } from '@unitcell/crystal';
import { NO_PROPERTIES } from '@unitcell/material';
import { PotentialError, readAbinitDdb } from '@unitcell/potential';
import { crystalTools } from '../../../catalogue/import/draft/draft-from-phonons.ts';
import { RefusedUnit } from '../../../catalogue/import/draft/refused-unit.ts';
import { scalarsOfTensors } from '../../../catalogue/tensors-of-draft.ts';
import { findExisting } from '../run4u.thread.ts';
import type { SubmissionState } from '../../../infra/stored-json.ts';
import {
  AlreadyExists,
  isSpecial,
  nextStep,
  type Submission,
  SubmissionFailed,
  withDone,
  withoutStep,
} from '../submission.ts';
import type { SubmissionsRepository } from '../submissions.repository.ts';
import type { CalculatedMaterials } from '../../../catalogue/calculated-materials.ts';
import { calculate, elementsOf, recall, type RunContext, standardGeometry } from './calculate.ts';
import { calculatedMaterial } from './calculated-material.ts';
import { keepDensity } from './kept-density.ts';

/** A step that was started this often without finishing probably kills its workers and is not started again. */
export const MAX_BEGINNINGS = 6;

export interface PipelineTools {
  readonly context: Omit<RunContext, 'title' | 'preset' | 'dataSets' | 'save'>;
  readonly materials: Pick<SubmissionsRepository, 'materialsOf'>;
  readonly catalogue: CalculatedMaterials;
  reserveStructId(): Promise<number>;
  /** @throws LeaseLost */
  save(step: PipelineStep, state: SubmissionState): Promise<void>;
}

type Step = (
  state: SubmissionState,
  tools: PipelineTools & { readonly context: RunContext; readonly submission: Submission },
) => Promise<SubmissionState>;

/** @throws AlreadyExists */
export async function refuseExisting(
  cell: Submission['structure'],
  { materials }: Pick<PipelineTools, 'materials'>,
): Promise<void> {
  const candidates = await materials.materialsOf(reducedFormula(compositionOf(fromCompactCell(cell))));
  const existing = candidates.length === 0 ? null : findExisting({ cell, candidates });
  if (existing) throw new AlreadyExists(existing.structId);
}

/** Rejects impossible submissions before an engine starts, and determines the initial cell. */
const validate: Step = async (state, { context, submission }) => {
  const geometry = standardGeometry(fromCompactCell(submission.structure), context.preset);
  const { missing } = await context.engine.dataSets(elementsOf(submission.structure));
  if (missing.length > 0) throw new SubmissionFailed('no-data-set', { elements: missing.join(', ') });
  const { name, abilities } = context.engine.calculator;
  const lacking = [...(state.physics ?? []), ...(state.tasks ?? [])].filter(
    (wish) => wish !== 'antiferromagnetic' && !abilities.some((ability) => ability === wish),
  );
  if (lacking.length > 0)
    throw new SubmissionFailed('not-calculable', {
      detail: `${name} cannot do ${lacking.join(', ')} here; submit the structure without`,
    });
  return { ...state, ...geometry };
};

/** Another calculation of the crystal may have finished since the submission. */
const deduplicate: Step = async (state, tools) => {
  if (!isSpecial(state)) await refuseExisting(tools.submission.structure, tools);
  return state;
};

/**
 * Starts from the magnetic ordering with the lowest energy at the submitted geometry. A start that fails is left out.
 * @throws SubmissionFailed when no start gives an energy
 */
const inBestOrder: Step = async (given, { context, submission }) => {
  if (!given.physics?.includes('antiferromagnetic')) return given;
  const base = standardGeometry(fromCompactCell(submission.structure), context.preset);
  const orderings = magneticOrderings(fromCompactCell(base.cell));
  const energies = [...(given.orderings ?? [])];
  const ends = [...(given.orderingMoments ?? energies.map(() => []))];
  // All orderings have been calculated, and the relaxation is under way.
  if (energies.length === orderings.length) return given;
  let state = given;
  let failure: SubmissionFailed | undefined;
  for (const { structure, moments } of orderings.slice(energies.length)) {
    const trial = { ...state, cell: toCompactCell(structure), moments };
    try {
      const { result, state: after } = await calculate('static', trial, context);
      energies.push(result.energy / structure.sites.length);
      ends.push(result.localMoments);
      state = after;
    } catch (error) {
      if (!(error instanceof SubmissionFailed)) throw error;
      failure = error;
      energies.push(error.reason);
      ends.push([]);
      state = { ...state, running: null, workarounds: [], faults: 0 };
    }
    state = { ...state, orderings: [...energies], orderingMoments: [...ends] };
    if (energies.length < orderings.length) await context.save(state);
  }
  const lowest = Math.min(...energies.filter((energy) => typeof energy === 'number'));
  const best = orderings[energies.indexOf(lowest)];
  if (!best) throw failure ?? new SubmissionFailed('scf-not-converged');
  const geometry =
    best.order === 'ferromagnetic' ? base : standardGeometry(best.structure, context.preset, best.moments);
  state = { ...state, ...geometry };
  await context.save(state);
  return state;
};

const relax: Step = async (given, tools) => {
  const { context } = tools;
  const started = await inBestOrder(given, tools);
  const { result, state } = await calculate('relax', started, context);
  const { magnetization, localMoments } = result;
  const isMagnetic = started.moments && !hasVanished(started.moments, magnetization, localMoments);
  const order = isMagnetic ? started.moments : undefined;
  const geometry = standardGeometry(result.structure, context.preset, order ?? undefined);
  return { ...state, ...geometry, moments: isMagnetic ? geometry.moments : null };
};

const runStatic: Step = async (given, tools) => {
  const { context } = tools;
  const { result, state } = await calculate('static', given, context);
  const { isMetal } = electronicStructure(result.eigenvalues, result.fermiEnergy);
  const known = { ...state, fermiEnergy: result.fermiEnergy, isMetal: isMetal || given.isMetal === true };
  // The crystal was assumed to be an insulator but is a metal: the mesh was too coarse for a Fermi surface.
  if (isMetal && !given.isMetal) {
    await context.save(known);
    return runStatic(known, tools);
  }
  return known;
};

const bands: Step = async (state, { context }) => (await calculate('bands', state, context)).state;
const dos: Step = async (state, { context }) => (await calculate('dos', state, context)).state;

/** If a task fails or gives an impossible result, only its result is missing; the calculation continues. */
const taskStep =
  <Task extends ResponseTask>(name: Task, check: (result: StepResults[Task]) => void): Step =>
  async (given, { context }) => {
    try {
      const { result, state } = await calculate(name, given, context);
      check(result);
      return state;
    } catch (error) {
      const isOwn = error instanceof PotentialError || error instanceof RefusedUnit;
      if (!isOwn && !(error instanceof SubmissionFailed)) throw error;
      const failure = { task: name, detail: error.message };
      return {
        ...given,
        running: null,
        workarounds: [],
        failedTasks: [...(given.failedTasks ?? []), failure],
      };
    }
  };

const ingest: Step = async (given, tools) => {
  const { context, submission, catalogue } = tools;
  let state = given;
  const [ground, bandResult, dosResult] = [
    await recall('static', state, context),
    await recall('bands', state, context),
    await recall('dos', state, context),
  ];
  // The scratch folder was cleared, so the lost step is repeated.
  if (!ground) return withoutStep(state, 'static');
  if (!bandResult) return withoutStep(state, 'bands');
  if (!dosResult) return withoutStep(state, 'dos');
  const isDone = (task: ResponseTask): boolean => state.folders?.[task] !== undefined;
  const elastic = isDone('elastic') ? await recall('elastic', state, context) : undefined;
  const phonons = isDone('phonons') ? await recall('phonons', state, context) : undefined;
  if (elastic === null) return withoutStep(state, 'elastic');
  if (phonons === null) return withoutStep(state, 'phonons');
  if (state.reservedId === undefined) {
    if (!isSpecial(state)) await refuseExisting(state.cell!, tools);
    state = { ...state, reservedId: await tools.reserveStructId() };
    await tools.save('ingest', state);
  }
  const material = calculatedMaterial(
    submission,
    state,
    { static: ground, bands: bandResult, dos: dosResult, elastic, phonons },
    {
      engine: context.engine,
      settings: context.settings,
      dataSets: context.dataSets,
      hasDensity: await keepDensity(submission, state, context),
    },
  );
  context.signal.throwIfAborted();
  const stored = await catalogue.store(material);
  if (stored.kind === 'refused') throw new SubmissionFailed('not-stored', { detail: stored.reason });
  return { ...state, reservedId: stored.structId };
};

const STEPS: Readonly<Record<ProgramStep, Step>> = {
  validate,
  deduplicate,
  relax,
  static: runStatic,
  bands,
  dos,
  elastic: taskStep(
    'elastic',
    ({ tensor }) => void scalarsOfTensors({ ...NO_PROPERTIES.tensors, elastic: tensor }),
  ),
  phonons: taskStep('phonons', ({ derivatives }) => void readAbinitDdb(derivatives, crystalTools)),
  ingest,
};

/**
 * Runs the remaining steps of a submission.
 * @returns the final state; the id of the material is `reservedId`
 * @throws SubmissionFailed, SubmissionPostponed, AlreadyExists, LeaseLost, or the reason of the signal
 */
export async function runSubmission(submission: Submission, tools: PipelineTools): Promise<SubmissionState> {
  const { context } = tools;
  await mkdir(context.folder, { recursive: true });
  const { found } = await context.engine.dataSets(elementsOf(submission.structure));
  let state = submission.state;
  for (let step = nextStep(state); step !== null; step = nextStep(state)) {
    context.signal.throwIfAborted();
    const begun = (state.begun?.[step] ?? 0) + 1;
    if (begun > MAX_BEGINNINGS) throw new SubmissionFailed('gave-up', { step, times: MAX_BEGINNINGS });
    state = { ...state, begun: { ...state.begun, [step]: begun } };
    await tools.save(step, state);
    const current = step;
    const full: RunContext = {
      ...context,
      title: submission.formula,
      preset: context.settings.preset,
      dataSets: found,
      save: (saved) => tools.save(current, saved),
    };
    const after = await STEPS[step](state, { ...tools, context: full, submission });
    // If a step sends the submission back to an earlier step, it is not marked as done.
    const wentBack = (after.done ?? []).length < (state.done ?? []).length;
    state = wentBack ? after : withDone(after, step);
    await tools.save(step, state);
  }
  return state;
}

/** Run folder of a submission. */
export const folderOf = (scratch: string, id: number): string => join(scratch, 'runs', String(id));
