/** A region of chemical potentials as the page shows it: the plane, and its range. */
import type { ChemicalPotentials } from '@unitcell/contract/phase-diagram';
import {
  dependentPotential,
  type PolygonCorner,
  type PotentialLimit,
  type RegionPlane,
  regionPolygon,
} from '@unitcell/phase-equilibria';

/** The two elements on the axes. The compound determines the third; a fourth is fixed. */
export interface AxisPair {
  readonly x: number;
  readonly y: number;
  /** Null in a system of two elements, where one axis determines the other. */
  readonly dependent: number | null;
  readonly held: number | null;
}

export interface Range {
  readonly min: number;
  readonly max: number;
}

export interface RegionCorner {
  readonly key: string;
  /** eV/atom, in the order of the elements. */
  readonly potentials: readonly number[];
  /** Formulas of the phases in equilibrium at the corner. */
  readonly beside: readonly string[];
}

/** Length in eV up to which an unbounded region is drawn. */
const FOLLOWED = 1;

export const limitOf = ({
  amounts,
  formation_energy: formationEnergy,
}: ChemicalPotentials['compound']): PotentialLimit => ({ amounts, formationEnergy });

/** Corners from high to low content of the first element. */
export const cornersOf = ({ corners, limits }: ChemicalPotentials): readonly RegionCorner[] =>
  [...corners]
    .sort((a, b) => (b.potentials[0] ?? 0) - (a.potentials[0] ?? 0))
    .map(({ potentials, limits: touched }) => ({
      key: potentials.join(' '),
      potentials,
      beside: touched.flatMap((limit) => limits[limit]?.formula ?? []),
    }));

/**
 * The planes that can be drawn: the compound contains at least one element that is not on the axes. Planes with oxygen
 * come first.
 */
export function axisPairs({ elements, compound }: ChemicalPotentials): readonly AxisPair[] {
  const all = elements.map((_, index) => index);
  const pairs = all.flatMap((x) =>
    all.slice(x + 1).flatMap((y): AxisPair[] => {
      const rest = all.filter((index) => index !== x && index !== y);
      if (rest.length === 0) return [{ x, y, dependent: null, held: null }];
      // The most abundant element of the compound off the axes: its potential is determined most precisely.
      const [dependent] = rest
        .filter((index) => (compound.amounts[index] ?? 0) > 0)
        .sort((a, b) => (compound.amounts[b] ?? 0) - (compound.amounts[a] ?? 0));
      if (dependent === undefined) return [];
      return [{ x, y, dependent, held: rest.find((index) => index !== dependent) ?? null }];
    }),
  );
  const withOxygen = ({ x, y }: AxisPair): boolean => elements[x] === 'O' || elements[y] === 'O';
  return [...pairs.filter(withOxygen), ...pairs.filter((pair) => !withOxygen(pair))];
}

const lacks = ({ compound }: ChemicalPotentials, element: number): boolean => compound.amounts[element] === 0;

/** The drawn part of the region's range along an element. */
export function drawnRangeOf(answer: ChemicalPotentials, element: number): Range {
  const values = answer.corners.map(({ potentials }) => potentials[element] ?? 0);
  return { min: Math.min(...values) - (lacks(answer, element) ? FOLLOWED : 0), max: Math.max(...values) };
}

/** The range of the region along an element; the range has no lower end (−∞) if the compound lacks the element. */
export function rangeOf(answer: ChemicalPotentials, element: number): Range {
  const drawn = drawnRangeOf(answer, element);
  return lacks(answer, element) ? { ...drawn, min: Number.NEGATIVE_INFINITY } : drawn;
}

/** A point inside the region: the mean of its corners, eV/atom for each element. */
export const middleOf = ({ corners, elements }: ChemicalPotentials): readonly number[] =>
  elements.map(
    (_, element) =>
      corners.reduce((total, { potentials }) => total + (potentials[element] ?? 0), 0) / corners.length,
  );

/** The plane of an axis pair with the fixed element at a given potential. */
export function planeOf(pair: AxisPair, held: number): RegionPlane | null {
  const { x, y, dependent } = pair;
  if (dependent === null) return null;
  return {
    x,
    y,
    dependent,
    held: Array.from({ length: 4 }, (_, element) => (element === pair.held ? held : 0)),
  };
}

/** The shape in the plane: a polygon, or for two elements the line between the two ends. */
export function drawnRegion(
  answer: ChemicalPotentials,
  pair: AxisPair,
  held: number,
): readonly PolygonCorner[] {
  const plane = planeOf(pair, held);
  if (plane === null)
    return answer.corners.map(({ potentials, limits }) => ({
      x: potentials[pair.x] ?? 0,
      y: potentials[pair.y] ?? 0,
      limit: limits[0] ?? null,
    }));
  // Below the range of an element that the compound contains, so that the region ends at its own limits.
  const edge = (element: number): number =>
    drawnRangeOf(answer, element).min - (lacks(answer, element) ? 0 : FOLLOWED);
  const lowest = { x: edge(pair.x), y: edge(pair.y) };
  return regionPolygon(limitOf(answer.compound), answer.limits.map(limitOf), plane, lowest);
}

/** Δμ of each element at a point of the plane, eV/atom. */
export function potentialsAt(
  { compound, elements }: ChemicalPotentials,
  pair: AxisPair,
  held: number,
  at: { readonly x: number; readonly y: number },
): readonly number[] {
  const plane = planeOf(pair, held);
  return elements.map((_, element) => {
    if (element === pair.x) return at.x;
    if (element === pair.y) return at.y;
    if (plane && element === pair.dependent) return dependentPotential(limitOf(compound), plane, at);
    return held;
  });
}
