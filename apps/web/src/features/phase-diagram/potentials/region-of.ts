/** A region of chemical potentials as the page shows it: which plane of it, between which ends. */
import type { ChemicalPotentials } from '@unitcell/contract/phase-diagram';
import {
  dependentPotential,
  type PolygonCorner,
  type PotentialLimit,
  type RegionPlane,
  regionPolygon,
} from '@unitcell/phase-equilibria';

/** Two elements on axes; the third is settled by the compound, a fourth is held. */
export interface AxisPair {
  readonly x: number;
  readonly y: number;
  /** Null in a system of two elements: there one axis settles the other. */
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
  /** Formulas of the phases that are there too. */
  readonly beside: readonly string[];
}

/** eV: how far a region that goes on is followed. */
const FOLLOWED = 1;

export const limitOf = ({
  amounts,
  formation_energy: formationEnergy,
}: ChemicalPotentials['compound']): PotentialLimit => ({ amounts, formationEnergy });

/** From much of the first element to little of it. */
export const cornersOf = ({ corners, limits }: ChemicalPotentials): readonly RegionCorner[] =>
  [...corners]
    .sort((a, b) => (b.potentials[0] ?? 0) - (a.potentials[0] ?? 0))
    .map(({ potentials, limits: touched }) => ({
      key: potentials.join(' '),
      potentials,
      beside: touched.flatMap((limit) => limits[limit]?.formula ?? []),
    }));

/** The planes that show something: of the elements off its axes the compound holds at least one. Those with oxygen first. */
export function axisPairs({ elements, compound }: ChemicalPotentials): readonly AxisPair[] {
  const all = elements.map((_, index) => index);
  const pairs = all.flatMap((x) =>
    all.slice(x + 1).flatMap((y): AxisPair[] => {
      const rest = all.filter((index) => index !== x && index !== y);
      if (rest.length === 0) return [{ x, y, dependent: null, held: null }];
      // The most frequent of them: its potential is told the most sharply.
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

/** The part that is drawn of where the region lies along an element. */
export function drawnRangeOf(answer: ChemicalPotentials, element: number): Range {
  const values = answer.corners.map(({ potentials }) => potentials[element] ?? 0);
  return { min: Math.min(...values) - (lacks(answer, element) ? FOLLOWED : 0), max: Math.max(...values) };
}

/** Between which potentials of an element the region lies: from −∞ where the compound lacks it. */
export function rangeOf(answer: ChemicalPotentials, element: number): Range {
  const drawn = drawnRangeOf(answer, element);
  return lacks(answer, element) ? { ...drawn, min: Number.NEGATIVE_INFINITY } : drawn;
}

/** A place inside the region: the middle of its corners, eV/atom for each element. */
export const middleOf = ({ corners, elements }: ChemicalPotentials): readonly number[] =>
  elements.map(
    (_, element) =>
      corners.reduce((total, { potentials }) => total + (potentials[element] ?? 0), 0) / corners.length,
  );

/** The plane of a pair with the held element at a potential. */
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

/** What is drawn in the plane: a polygon, or of two elements the line between the two ends. */
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
  const lowest = Math.min(drawnRangeOf(answer, pair.x).min, drawnRangeOf(answer, pair.y).min);
  return regionPolygon(limitOf(answer.compound), answer.limits.map(limitOf), plane, lowest);
}

/** Δμ of each element at a place of the plane, eV/atom. */
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
