/**
 * Identifies the phases of a measured pattern. Each round searches candidates and adds one phase, until no
 * candidate passes the rule. The caller passes the steps as functions, so that a server can run them in threads
 * and read structures from its database.
 */
import { type FittedMixture, NO_PHASES } from './fitted-mixture.ts';
import type { ReviewedMixture } from './review-mixture.ts';
import type { FoundPhase, PhaseCandidate, RoundResult } from './weigh-candidates.ts';
import { removeBackground } from '../background.ts';
import { DiffractionError } from '../diffraction-error.ts';
import { type PatternIndex, GRID_STEP } from '../pattern-index.ts';
import type { Probe } from '../radiation.ts';
import { type PatternQuery, preparePatternQuery, GRID_MARGIN, SHAPE_ROW } from '../pattern-query.ts';
import { searchPatterns, DEFAULT_MAX_STRAIN, strainOfShift } from '../search-patterns.ts';
import { shiftsForStrain } from '../search-candidates.ts';

/** Default limit on the number of phases. */
export const MAX_IDENTIFIED_PHASES = 4;

export interface IdentificationSteps {
  /**
   * Returns candidates for the next phase.
   * @param rest the pattern after the known phases are subtracted, at the angles of the pattern; undefined in
   *   the first round
   * @param known ids of the known phases and their alternatives, which are not proposed again
   */
  propose(rest: Float64Array | undefined, known: readonly number[]): Promise<readonly PhaseCandidate[]>;
  /** `weighCandidates` */
  weigh(mixture: FittedMixture, candidates: readonly PhaseCandidate[]): Promise<RoundResult>;
  /** `reviewMixture` */
  review(
    mixture: FittedMixture,
    found: readonly FoundPhase[],
    candidates: readonly PhaseCandidate[],
  ): Promise<ReviewedMixture>;
}

export type IdentifiedPhase = ReviewedMixture['phases'][number];

/**
 * Returns the phases of a pattern, or none if no phase passes the rule. A refinement of these phases then gives
 * fractions and cells.
 * @param onlyWithHumps true if an identification without humps in the background found nothing. The search
 *   then ends if the humps have no height in the fit with the first phase, because it would only repeat the
 *   earlier one
 */
export async function identifyPhases(
  { propose, weigh, review }: IdentificationSteps,
  maxPhases = MAX_IDENTIFIED_PHASES,
  onlyWithHumps = false,
): Promise<ReviewedMixture> {
  const found: FoundPhase[] = [];
  const candidates = new Map<number, PhaseCandidate>();
  let mixture = NO_PHASES;
  let rest: Float64Array | undefined;
  while (found.length < maxPhases) {
    const known = found.flatMap(({ id, alternatives }) => [id, ...alternatives.map((other) => other.id)]);
    const proposed = await propose(rest, known);
    for (const candidate of proposed) candidates.set(candidate.id, candidate);
    const round = proposed.length > 0 ? await weigh(mixture, proposed) : undefined;
    if (!round?.found) break;
    if (onlyWithHumps && !round.hasHumps) return { mixture: NO_PHASES, phases: [], explained: 0 };
    found.push(round.found);
    ({ mixture, rest } = round);
  }
  return review(mixture, found, [...candidates.values()]);
}

// Candidates for the next phase of a mixture: by their strongest lines, and by the exact search of whole patterns.

/**
 * Number of candidates found by lines, and by distance of whole patterns. The search by lines finds minor
 * phases; the search by distance finds single phases whose measured intensities are wrong.
 */
const BY_LINES = 24;
const BY_DISTANCE = 8;

export interface ProposalRequest {
  readonly twoThetaDeg: ArrayLike<number>;
  readonly intensities: ArrayLike<number>;
  /** Å, weighted mean of the lines of the radiation. */
  readonly wavelength: number;
  /** Default X-rays. The patterns in the index must be for the same radiation. */
  readonly probe?: Probe | undefined;
  /** Default: a fixed slit. */
  readonly isSlitVariable?: boolean | undefined;
  /** The pattern after the known phases are subtracted. Default: the pattern above its background. */
  readonly rest?: Float64Array | undefined;
  /** Regions (degrees) whose points do not count. */
  readonly excluded?: readonly (readonly [number, number])[] | undefined;
  /** Ids that must not be proposed. */
  readonly known: readonly number[];
  /** Rising positions in the index to search; default all. */
  readonly candidates?: ArrayLike<number> | undefined;
  /** nm, from an earlier round; estimated from the peaks by default. */
  readonly crystalliteSizeNm?: number | undefined;
}

export interface Proposals {
  readonly proposals: readonly { readonly id: number; readonly strain: number }[];
  readonly crystalliteSizeNm: number;
}

/**
 * @throws DiffractionError `bad-pattern` if the whole pattern has no signal. If only `rest` has no signal, the
 *   result is empty.
 */
export function proposePhases(index: PatternIndex, request: ProposalRequest): Proposals {
  const { crystalliteSizeNm } = request;
  const query = queryOf(request);
  if (!query) return { proposals: [], crystalliteSizeNm: crystalliteSizeNm ?? 0 };
  const candidates = unknownOf(index, request);
  const strains = new Map<number, number>();
  const lists = [
    proposeByLines(index, query, { top: BY_LINES, candidates }),
    searchPatterns(index, query, { top: BY_DISTANCE, ...(candidates && { candidates }) }),
  ];
  for (const { id, strain } of lists.flat()) if (!strains.has(id)) strains.set(id, strain);
  return {
    proposals: Array.from(strains, ([id, strain]) => ({ id, strain })),
    crystalliteSizeNm: query.crystalliteSizeNm,
  };
}

function queryOf(request: ProposalRequest): PatternQuery | undefined {
  const { twoThetaDeg: x, intensities, wavelength, probe, isSlitVariable, rest, crystalliteSizeNm } = request;
  try {
    return preparePatternQuery(x, rest ?? removeBackground(x, intensities), {
      wavelength,
      probe,
      isSlitVariable,
      excluded: request.excluded,
      ...(crystalliteSizeNm !== undefined && { crystalliteSizeNm }),
    });
  } catch (error) {
    if (rest && error instanceof DiffractionError && error.code === 'bad-pattern') return undefined;
    throw error;
  }
}

/** Positions of the candidates without the known phases; undefined means all. */
function unknownOf(
  { ids, count }: PatternIndex,
  { candidates, known }: ProposalRequest,
): Uint32Array | undefined {
  if (known.length === 0) return candidates && Uint32Array.from(candidates);
  const skipped = new Set(known);
  const all = candidates ? Uint32Array.from(candidates) : Uint32Array.from({ length: count }, (_, i) => i);
  return all.filter((position) => !skipped.has(ids[position]));
}

// Proposes candidates for one phase of a mixture by their strongest lines, as in the search of J. D. Hanawalt, H. W.
// Rinn and L. K. Frevel, Ind. Eng. Chem. Anal. Ed. 10, 457 (1938). Measured peaks that a candidate does not explain do
// not lower its score, because they may belong to other phases. Lines of a candidate that are missing in the pattern
// lower it.

/** Number of lines of a candidate that are compared, strongest first. */
const MAX_LINES = 24;

/**
 * Weight of a candidate's intensity that the pattern lacks, relative to intensity that the candidate explains.
 */
const MISSING = 2;

/**
 * Share of the score lost per cell (0.4 %) of strain: if two candidates fit equally well, the less strained one
 * is likelier.
 */
const RELUCTANCE = 0.01;

export interface Proposal {
  readonly id: number;
  /** Relative change of the stored cell at which the score is highest. */
  readonly strain: number;
  /**
   * Share (0…1) of the pattern's intensity that the lines explain, minus the weighted intensity that the
   * pattern lacks.
   */
  readonly score: number;
}

export interface ProposalOptions {
  readonly top: number;
  /** Positions in the index to search; default all. */
  readonly candidates?: ArrayLike<number> | undefined;
  /** Default DEFAULT_MAX_STRAIN. */
  readonly maxStrain?: number;
}

/**
 * For each grid cell, the integrated intensity of a line there if no other line contributes: the measured
 * density over the density of a line of area 1. Undefined (NaN) for a cell that was not measured.
 */
function intensityByCell({ length, amplitudes, shapes }: PatternQuery): Float64Array {
  const middle = (SHAPE_ROW - 1) / 2;
  return Float64Array.from({ length }, (_, row) => {
    const at = GRID_MARGIN + row;
    if (shapes[row * SHAPE_ROW + middle] === 0) return Number.NaN;
    const density = Math.max(amplitudes[at - 1], amplitudes[at], amplitudes[at + 1]) ** 2;
    return density / shapes[row * SHAPE_ROW + middle] ** 2;
  });
}

/** Above every measured intensity: the upper bound for a cell that was not measured. */
const UNKNOWN = 1e200;

/** The largest value within `reach` cells of each cell. */
function largestAround(values: Float64Array, reach: number): Float64Array {
  const bounds = values.map((value) => (Number.isNaN(value) ? UNKNOWN : value));
  return bounds.map((_, row) => Math.max(...bounds.subarray(Math.max(0, row - reach), row + reach + 1)));
}

/**
 * The `top` candidates whose lines explain most intensity, best first. The score depends linearly on the scale
 * between two ratios measured / calculated, so the best scale is a weighted quantile of these ratios.
 *
 * The score grows with every measured intensity. Computed with the largest intensity within reach of any
 * strain, it is an upper bound. Candidates whose bound is too low are skipped, which does not change the
 * result.
 */
export function proposeByLines(
  index: PatternIndex,
  query: PatternQuery,
  options: ProposalOptions,
): Proposal[] {
  const { top, candidates, maxStrain = DEFAULT_MAX_STRAIN } = options;
  const shifts = shiftsForStrain(maxStrain, GRID_STEP);
  const measured = intensityByCell(query);
  const reachable = largestAround(measured, shifts);
  const total = query.amplitudes.reduce((sum, value) => sum + value * value, 0);
  const { ids, start, cells, amplitudes } = index;
  const rows = new Int32Array(MAX_LINES);
  const wanted = new Float64Array(MAX_LINES);
  const seen = new Float64Array(MAX_LINES);
  const order = new Int32Array(MAX_LINES);

  const scoreAt = (lines: number, shift: number, intensities: Float64Array): number => {
    let [weight, count] = [0, 0];
    for (let i = 0; i < lines; i++) {
      const row = rows[i] + shift;
      seen[i] = row >= 0 && row < query.length ? intensities[row] : 0;
      if (Number.isNaN(seen[i])) continue;
      weight += wanted[i];
      const ratio = seen[i] / wanted[i];
      let at = count++;
      for (; at > 0 && seen[order[at - 1]] / wanted[order[at - 1]] > ratio; at--) order[at] = order[at - 1];
      order[at] = i;
    }
    let [carried, scale] = [0, 0];
    for (let i = 0; i < count && carried < weight / (1 + MISSING); i++) {
      carried += wanted[order[i]];
      scale = seen[order[i]] / wanted[order[i]];
    }
    let score = 0;
    for (let i = 0; i < lines; i++) {
      const expected = scale * wanted[i];
      if (Number.isNaN(seen[i])) continue;
      score += expected <= seen[i] ? expected : seen[i] - MISSING * (expected - seen[i]);
    }
    return score * (1 - RELUCTANCE * Math.abs(shift));
  };

  const best: Proposal[] = [];
  for (let n = 0; n < (candidates?.length ?? index.count); n++) {
    const position = candidates ? candidates[n] : n;
    const lines = strongestLines(position);
    const least = best.length < top ? 0 : best[best.length - 1].score;
    if (lines === 0 || scoreAt(lines, 0, reachable) <= least * total) continue;
    let [score, at] = [0, 0];
    for (let shift = -shifts; shift <= shifts; shift++) {
      const found = scoreAt(lines, shift, measured);
      if (found > score) [score, at] = [found, shift];
    }
    if (score / total <= least) continue;
    const place = best.findIndex((other) => other.score < score / total);
    best.splice(place < 0 ? best.length : place, 0, {
      id: ids[position],
      strain: strainOfShift(at),
      score: score / total,
    });
    if (best.length > top) best.pop();
  }
  return best;

  /**
   * Loads the strongest lines of a material within the measured range into `rows` and `wanted`; returns how
   * many.
   */
  function strongestLines(position: number): number {
    let lines = 0;
    for (let k = start[position]; k < start[position + 1]; k++) {
      const row = cells[k] - query.from;
      if (row < 0 || row >= query.length || query.visible[amplitudes[k]] === 0) continue;
      if (Number.isNaN(measured[row])) continue;
      const intensity = amplitudes[k] * amplitudes[k];
      let at = Math.min(lines, MAX_LINES - 1);
      if (lines === MAX_LINES && wanted[at] >= intensity) continue;
      for (; at > 0 && wanted[at - 1] < intensity; at--) {
        wanted[at] = wanted[at - 1];
        rows[at] = rows[at - 1];
      }
      wanted[at] = intensity;
      rows[at] = row;
      lines = Math.min(MAX_LINES, lines + 1);
    }
    return lines;
  }
}
