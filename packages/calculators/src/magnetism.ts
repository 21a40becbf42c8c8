/**
 * Starting moments of collinear antiferromagnets, and the Hubbard U values of the Materials Project.
 *
 * An ordering is a pattern of signs in the given cell times a wave of half a reciprocal lattice vector: moments
 * of neighbouring cells are equal or opposite along each axis, so the magnetic cell is the given one or twice
 * as large. Ferrimagnets, spirals and longer periods are not tried.
 */
import { neighbourList, type Structure } from '@unitcell/crystal';
import { add3, scale3, type Vec3 } from '@unitcell/numerics';
import { elementMoments, VANISHING_MOMENT } from './sampling.ts';

export interface MagneticOrdering {
  /** The magnetic cell. */
  readonly structure: Structure;
  /** Starting moment of each site, µB. */
  readonly moments: readonly number[];
  /**
   * Wave vector of the sign pattern in units of the reciprocal vectors of the given cell: 0 or ½ along each.
   */
  readonly wave: Vec3;
  readonly order: 'ferromagnetic' | 'antiferromagnetic';
}

/** Maximum number of antiferromagnetic orderings tried in addition to the ferromagnetic one. */
const MOST_ORDERINGS = 3;
/** For cells with more magnetic sites, only patterns with parallel moments within a cell are tried. */
const MOST_PATTERN_SITES = 5;
/** Å. Orderings with the same parallel and antiparallel bonds up to this length count as one. */
const BOND_RANGE = 7;

const AXES = [0, 1, 2] as const;
type Axis = (typeof AXES)[number];
const HALVES = [0, 0.5] as const;
const WAVES: readonly Vec3[] = HALVES.flatMap((x) =>
  HALVES.flatMap((y) => HALVES.map((z): Vec3 => [x, y, z])),
);

/** The cell in which the wave is periodic: the given cell, or the smallest cell of twice the volume. */
function magneticCell(structure: Structure, wave: Vec3): Structure {
  const doubled = AXES.find((axis) => wave[axis] === 0.5);
  if (doubled === undefined) return structure;
  const { latticeVectors, sites } = structure;
  const along = latticeVectors[doubled];
  // If the moments change sign along another vector, that vector is lengthened by the doubled axis's vector.
  const row = (axis: Axis): Vec3 =>
    axis === doubled
      ? scale3(along, 2)
      : wave[axis] === 0
        ? latticeVectors[axis]
        : add3(latticeVectors[axis], along);
  const inCell = (coords: Vec3, cell: 0 | 1): Vec3 => {
    // From x·(given vectors) = y·(new vectors): only the coordinate along the doubled axis changes. The coordinates
    // along the lengthened vectors are subtracted from it, and the result is halved.
    const others = AXES.filter((axis) => axis !== doubled && wave[axis] !== 0);
    const rest = coords[doubled] + cell - others.reduce<number>((sum, axis) => sum + coords[axis], 0);
    const place = (axis: Axis): number => (axis === doubled ? rest / 2 : coords[axis]);
    return [place(0), place(1), place(2)];
  };
  return {
    latticeVectors: [row(0), row(1), row(2)],
    sites: ([0, 1] as const).flatMap((cell) =>
      sites.map((site) => ({ ...site, fractionalCoords: inCell(site.fractionalCoords, cell) })),
    ),
  };
}

/**
 * For each bond length, the sum over the bonds of the product of the signs of both moments, per magnetic
 * atom. The energy in an Ising model depends only on these sums.
 */
function bondSums({
  structure,
  moments,
}: Pick<MagneticOrdering, 'structure' | 'moments'>): readonly number[] {
  const sums = new Map<string, number>();
  const magnetic = moments.filter((moment) => moment !== 0).length;
  neighbourList(structure, BOND_RANGE).forEach((neighbours, site) => {
    for (const { site: other, distance } of neighbours) {
      const sign = Math.sign(moments[site]) * Math.sign(moments[other]);
      const length = distance.toFixed(1);
      if (sign !== 0) sums.set(length, (sums.get(length) ?? 0) + sign / magnetic);
    }
  });
  return [...sums].sort(([a], [b]) => Number(a) - Number(b)).map(([, sum]) => Math.round(sum * 1e6) / 1e6);
}

/** All choices of `count` signs; choices that differ by reversing all signs are listed once. */
const signPatterns = (count: number): readonly (readonly number[])[] =>
  Array.from({ length: 2 ** Math.max(0, count - 1) }, (_, bits) =>
    Array.from({ length: count }, (_unused, at) => (at > 0 && (bits >> (at - 1)) & 1 ? -1 : 1)),
  );

function patternsOf(moments: readonly number[]): readonly (readonly number[])[] {
  const magnetic = moments.flatMap((moment, site) => (moment === 0 ? [] : [site]));
  const patterns =
    magnetic.length > MOST_PATTERN_SITES ? [magnetic.map(() => 1)] : signPatterns(magnetic.length);
  return patterns.map((signs) =>
    moments.map((moment, site) => moment * (signs[magnetic.indexOf(site)] ?? 1)),
  );
}

/**
 * Starting orders for a structure with magnetic elements: the ferromagnetic one, then up to three antiferromagnetic
 * ones with different bonds; sorted by size of the cell, then by the number of antiparallel short bonds. Empty without
 * magnetic elements.
 */
export function magneticOrderings(structure: Structure): readonly MagneticOrdering[] {
  const momentOf = elementMoments(structure);
  const moments = structure.sites.map(({ species }) => momentOf(species[0].element));
  if (moments.every((moment) => moment === 0)) return [];
  const found = new Map<string, { readonly ordering: MagneticOrdering; readonly sums: readonly number[] }>();
  for (const wave of WAVES)
    for (const pattern of patternsOf(moments)) {
      const isDoubled = wave.includes(0.5);
      const ordering: MagneticOrdering = {
        structure: magneticCell(structure, wave),
        moments: isDoubled ? [...pattern, ...pattern.map((moment) => -moment)] : pattern,
        wave,
        order: 'antiferromagnetic',
      };
      if (Math.abs(ordering.moments.reduce((sum, moment) => sum + moment, 0)) > 1e-6) continue;
      const sums = bondSums(ordering);
      const key = sums.join();
      if (!found.has(key)) found.set(key, { ordering, sums });
    }
  const bySize = [...found.values()].sort(
    (a, b) =>
      a.ordering.moments.length - b.ordering.moments.length ||
      a.sums.map((sum, at) => sum - (b.sums[at] ?? 0)).find((difference) => difference !== 0) ||
      0,
  );
  return [
    { structure, moments, wave: [0, 0, 0], order: 'ferromagnetic' },
    ...bySize.slice(0, MOST_ORDERINGS).map(({ ordering }) => ordering),
  ];
}

/**
 * The order in which a calculation ended, from the final moments of the sites that started with a moment. A
 * self-consistent cycle may leave the order that it started from, or converge to a metastable state without moments.
 */
export function orderReached(
  starts: readonly number[],
  ends: readonly number[],
): 'ferromagnetic' | 'antiferromagnetic' | 'nonmagnetic' {
  const signs = starts.flatMap((start, site) => {
    const end = ends[site] ?? 0;
    return start === 0 || Math.abs(end) < VANISHING_MOMENT.site ? [] : [Math.sign(end)];
  });
  if (signs.length === 0) return 'nonmagnetic';
  return new Set(signs).size === 1 ? 'ferromagnetic' : 'antiferromagnetic';
}

/** Whether the sites kept the pattern of signs from which they started, or its reverse. */
export const hasKeptOrder = (starts: readonly number[], ends: readonly number[]): boolean =>
  [1, -1].some((sign) =>
    starts.every(
      (start, site) => start === 0 || sign * Math.sign(start) * (ends[site] ?? 0) >= VANISHING_MOMENT.site,
    ),
  );

/**
 * Effective U (U − J) of the d electrons in oxides and fluorides, eV: fitted to measured formation enthalpies of
 * oxides by L. Wang, T. Maxisch, G. Ceder, Phys. Rev. B 73 (2006) 195107, doi:10.1103/PhysRevB.73.195107, and
 * A. Jain et al., Phys. Rev. B 84 (2011) 045115, doi:10.1103/PhysRevB.84.045115; the values the Materials Project uses.
 */
export const HUBBARD_U: Readonly<Record<string, number>> = {
  Co: 3.32,
  Cr: 3.7,
  Fe: 5.3,
  Mn: 3.9,
  Mo: 4.38,
  Ni: 6.2,
  V: 3.25,
  W: 6.2,
};

/** U by element; empty unless the crystal is an oxide or fluoride with one of the elements of the table. */
export function hubbardU(elements: readonly string[]): Readonly<Record<string, number>> {
  if (!elements.includes('O') && !elements.includes('F')) return {};
  return Object.fromEntries(
    elements.flatMap((element) => (HUBBARD_U[element] ? [[element, HUBBARD_U[element]]] : [])),
  );
}
