/**
 * Takes one submission through its remaining steps. The row records every finished step, so the work may be
 * stopped at any point and continued by any worker.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type BandsResult,
  type DosResult,
  type Eigenvalues,
  electronicStructure,
  hasVanished,
  PRESETS,
  type StaticResult,
} from '@unitcell/calculators';
import type { PipelineStep, ProgramStep } from '@unitcell/contract/run4u';
import { compositionOf, fromCompactCell, reducedFormula } from '@unitcell/crystal';
import { findExisting } from '../run4u.thread.ts';
import type { SubmissionState } from '../../../infra/stored-json.ts';
import {
  AlreadyExists,
  nextStep,
  type Submission,
  SubmissionFailed,
  withDone,
  withoutStep,
} from '../submission.ts';
import type { SubmissionsRepository } from '../submissions.repository.ts';
import { calculate, elementsOf, recall, type RunContext, standardGeometry } from './calculate.ts';
import type { CalculatedMaterial, CalculatedMaterials } from '../../../catalogue/calculated-materials.ts';
import type { BandStructure, DensityOfStates } from '@unitcell/material';
import { readableLabel } from '@unitcell/symmetry';
import { type Mat3, roundTo, type Vec3 } from '@unitcell/numerics';
import type { Engine } from '../engines/engine.ts';
import type { Run4uSettings } from '../run4u-settings.ts';

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
  return { ...state, ...geometry };
};

/** Another calculation of the crystal may have finished since the submission. */
const deduplicate: Step = async (state, tools) => {
  await refuseExisting(tools.submission.structure, tools);
  return state;
};

const relax: Step = async (given, { context }) => {
  const { result, state } = await calculate('relax', given, context);
  const geometry = standardGeometry(result.structure, context.preset);
  const isMagnetic = given.moments && !hasVanished(result.magnetization, result.localMoments);
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
  if (state.reservedId === undefined) {
    await refuseExisting(state.cell!, tools);
    state = { ...state, reservedId: await tools.reserveStructId() };
    await tools.save('ingest', state);
  }
  const material = calculatedMaterial(
    submission,
    state,
    { static: ground, bands: bandResult, dos: dosResult },
    { engine: context.engine, settings: context.settings, dataSets: context.dataSets },
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
    // A step that sent the submission back to an earlier step is not marked as done.
    const wentBack = (after.done ?? []).length < (state.done ?? []).length;
    state = wentBack ? after : withDone(after, step);
    await tools.save(step, state);
  }
  return state;
}

/** Run folder of a submission. */
export const folderOf = (scratch: string, id: number): string => join(scratch, 'runs', String(id));

// ── Converts the results of all steps into a material ──

/** Name of the functional in band structures and densities of states. */
const FUNCTIONAL = 'PBE';
/**
 * Stored energy window in eV around the Fermi energy, between semicore states and poorly converged bands.
 */
const WINDOW = { below: 20, above: 12 } as const;

const roundedVector = ([x, y, z]: Vec3): Vec3 => [roundTo(x, 6), roundTo(y, 6), roundTo(z, 6)];
const roundedRows = ([a, b, c]: Mat3): Mat3 => [roundedVector(a), roundedVector(b), roundedVector(c)];

/** Indices of bands that enter the window in some spin channel. */
function keptBands(channels: readonly Eigenvalues[], fermiEnergy: number): number[] {
  const count = channels[0]?.energies[0]?.length ?? 0;
  return Array.from({ length: count }, (_, band) => band).filter((band) =>
    channels.some(({ energies }) => {
      const values = energies.map((row) => row[band]!);
      return (
        Math.max(...values) > fermiEnergy - WINDOW.below && Math.min(...values) < fermiEnergy + WINDOW.above
      );
    }),
  );
}

function bandStructure(
  { eigenvalues }: BandsResult,
  fermiEnergy: number,
  state: SubmissionState,
): BandStructure {
  const kept = keptBands(eigenvalues, fermiEnergy);
  const channel = ({ energies }: Eigenvalues): number[][] =>
    energies.map((row) => kept.map((band) => roundTo(row[band]!, 4)));
  const [up, down] = eigenvalues;
  return {
    functional: FUNCTIONAL,
    kPoints: (state.kPoints ?? []).map(roundedVector),
    labels: (state.kLabels ?? []).map(({ index, label }) => ({ index, label: readableLabel(label) })),
    kDistance: (state.kDistance ?? []).map((distance) => roundTo(distance, 5)),
    spinUp: up ? channel(up) : [],
    ...(down ? { spinDown: channel(down) } : {}),
    fermiEnergy: roundTo(fermiEnergy, 4),
    ...(state.reciprocalLattice ? { reciprocalLattice: roundedRows(state.reciprocalLattice) } : {}),
  };
}

function densityOfStates({ energies, total, projected }: DosResult, fermiEnergy: number): DensityOfStates {
  return {
    functional: FUNCTIONAL,
    energies: [...energies],
    total: [...(total[0] ?? [])],
    ...(total[1] ? { totalDown: [...total[1]] } : {}),
    projected: Object.fromEntries(Object.entries(projected).map(([key, values]) => [key, [...values]])),
    fermiEnergy: roundTo(fermiEnergy, 4),
  };
}

interface Results {
  readonly static: StaticResult;
  readonly bands: BandsResult;
  readonly dos: DosResult;
}

function calculatedMaterial(
  submission: Pick<Submission, 'id'>,
  state: SubmissionState,
  results: Results,
  {
    engine,
    settings,
    dataSets,
  }: {
    readonly engine: Engine;
    readonly settings: Run4uSettings;
    readonly dataSets: Readonly<Record<string, { readonly fileName: string; readonly sha256: string }>>;
  },
): CalculatedMaterial {
  const { fermiEnergy, energy, magnetization, localMoments, maxForce, pressureGpa } = results.static;
  const structure = fromCompactCell(state.cell!);
  const electronic = electronicStructure(
    [...results.static.eigenvalues, ...results.bands.eigenvalues],
    fermiEnergy,
  );
  const runs = state.runs ?? [];
  const elements = elementsOf(state.cell!);
  return {
    structId: state.reservedId!,
    structure,
    energyScale: engine.energyScale,
    energyPerAtom: energy / structure.sites.length,
    given: {
      bandGap: roundTo(electronic.gap, 4),
      bandGapType: electronic.isMetal ? 'metal' : electronic.isDirect ? 'direct' : 'indirect',
      fermiEnergy: roundTo(fermiEnergy, 4),
      totalMagnetization: magnetization === null ? null : roundTo(magnetization, 3),
    },
    bands: bandStructure(results.bands, fermiEnergy, state),
    dos: densityOfStates(results.dos, fermiEnergy),
    provenance: {
      engine: engine.calculator.name,
      engine_version: `${engine.calculator.name} ${engine.version}`,
      functional: FUNCTIONAL,
      potcar_symbols: elements.map((element) => dataSets[element]?.fileName ?? element),
      data_sets: Object.fromEntries(elements.map((element) => [element, dataSets[element]])),
      preset: settings.preset,
      preset_settings: PRESETS[settings.preset],
      steps: state.settings ?? {},
      energy_per_atom: roundTo(energy / structure.sites.length, 6),
      max_force_ev_per_angstrom: roundTo(maxForce, 5),
      pressure_gpa: roundTo(pressureGpa, 4),
      ...(magnetization === null ? {} : { local_moments: localMoments }),
      wall_seconds: roundTo(
        runs.reduce((sum, run) => sum + run.wallSeconds, 0),
        1,
      ),
      cpu_seconds: roundTo(
        runs.reduce((sum, run) => sum + run.cpuSeconds, 0),
        1,
      ),
      peak_mb: Math.max(0, ...runs.map((run) => run.peakMb)),
      warnings: state.warnings ?? [],
      submission: submission.id,
    },
    sourceId: `run4u-${submission.id}`,
  };
}
