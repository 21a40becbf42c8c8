/** The worker's computation as plain functions. */
import {
  bandsOfModel,
  blochState,
  chernNumbers,
  compactLocalisedState,
  createModel,
  type DensityOfStates,
  densityOfStates,
  diracPoints,
  energyGrid,
  type FermiLevel,
  fermiLevel,
  flatBandLevels,
  type TightBindingModel,
} from '@unitcell/tight-binding';
import type { BandsAnswer, BandsRequest, ModelSettings, ReportAnswer } from './messages.ts';

export const K_POINTS = 200;
const DOS_BINS = 240;
/** Two numbers of states that differ by less are equal: the difference is due to rounding. */
const PLATEAU_TOLERANCE = 1e-6;

export const modelOf = ({ net, t1, t2, onsite, rule, fluxRad }: ModelSettings): TightBindingModel =>
  createModel({ net, t1, t2, onsite, t2Rule: rule, haldaneFluxRad: fluxRad });

/** Divisions of the zone: coarse enough for one frame while a slider moves, finer when it stops. */
function divisionsFor(sites: number, isSettled: boolean): number {
  if (sites <= 4) return isSettled ? 96 : 48;
  if (sites <= 12) return isSettled ? 64 : 24;
  if (sites <= 24) return isSettled ? 40 : 14;
  return isSettled ? 24 : 8;
}

/**
 * Fermi level with the precision of a bin. If `filling` whole bands lie below a gap, the level is in the middle of the
 * gap.
 */
function fermiOfHistogram({ energies, integrated }: DensityOfStates, filling: number): FermiLevel {
  const low = integrated.findIndex((states) => states >= filling - PLATEAU_TOLERANCE);
  const above = integrated.findIndex((states) => states > filling + PLATEAU_TOLERANCE);
  const last = energies.length - 1;
  const from = energies[low === -1 ? last : low] ?? 0;
  const to = energies[above === -1 ? last : above] ?? 0;
  return { energy: (from + to) / 2, gap: 0 };
}

export function solveBands(request: BandsRequest, now: () => number): BandsAnswer {
  const { model: settings, filling, selected, isSettled } = request;
  const model = modelOf(settings);
  const start = now();
  const { kPoints, kDist, hspNodes, hspLabels, bands } = bandsOfModel(model, K_POINTS);
  const bandsMs = now() - start;
  const grid = energyGrid(model, divisionsFor(bands.length, isSettled));
  const dos = densityOfStates(grid, DOS_BINS);
  const k = selected ? kPoints[selected.point] : undefined;
  const state = selected && k && selected.band < bands.length ? blochState(model, selected.band, k) : null;
  return {
    model: settings,
    kPoints,
    kDist,
    hspNodes,
    hspLabels,
    bands,
    dos: { energies: dos.energies, density: dos.density },
    filling,
    fermi: isSettled ? fermiLevel(grid, filling) : fermiOfHistogram(dos, filling),
    state:
      state && selected && k
        ? {
            at: selected,
            k,
            energy: state.energy,
            amplitudes: state.amplitudes.map(({ probability, phaseRad }) => ({ probability, phaseRad })),
          }
        : null,
    bandsMs,
  };
}

export function solveReport(settings: ModelSettings): ReportAnswer {
  const model = modelOf(settings);
  return {
    model: settings,
    flatBands: flatBandLevels(model).map((level) => ({
      ...level,
      state: compactLocalisedState(model, level.energy) ?? null,
    })),
    diracPoints: diracPoints(model),
    chern: chernNumbers(model, settings.net.positions.length <= 12 ? 24 : 12),
  };
}
