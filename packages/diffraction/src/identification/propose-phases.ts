/** Candidates for the next phase of a mixture: by their strongest lines, and by the exact search of whole patterns. */
import { removeBackground } from '../background.ts';
import { DiffractionError } from '../diffraction-error.ts';
import type { PatternIndex } from '../pattern-index.ts';
import type { Probe } from '../radiation.ts';
import { type PatternQuery, preparePatternQuery } from '../pattern-query.ts';
import { searchPatterns } from '../search-patterns.ts';
import { proposeByLines } from './propose-by-lines.ts';

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
