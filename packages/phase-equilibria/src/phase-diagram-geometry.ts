/**
 * Coordinates of the phases of a diagram on a line, in an equilateral triangle or in a regular tetrahedron (edge 1),
 * and the hull as lines between stable phases.
 */
import { facetsOf, formulaUnit } from './decomposition.ts';
import type { PhaseEntry } from './entries.ts';
import { PhaseEquilibriaError } from './error.ts';
import { amountsIn, energiesAboveHull, type Hull, sum } from './hull.ts';

export interface DiagramPoint<Entry extends PhaseEntry = PhaseEntry> {
  readonly entry: Entry;
  /** Reduced formula as databases display it. */
  readonly formula: string;
  /** See `diagramCoordinates`. */
  readonly coordinates: readonly number[];
  /** eV/atom */
  readonly formationEnergyPerAtom: number;
  /** eV/atom, 0 for stable phases */
  readonly energyAboveHull: number;
}

export interface PhaseDiagramGeometry<Entry extends PhaseEntry = PhaseEntry> {
  /** The components and the coordinates of their corners, in the order of the hull's components. */
  readonly corners: readonly { readonly label: string; readonly coordinates: readonly number[] }[];
  readonly stable: readonly DiagramPoint<Entry>[];
  readonly unstable: readonly DiagramPoint<Entry>[];
  /** Hull lines: pairs of indices into `stable`. */
  readonly lines: readonly (readonly [number, number])[];
}

/** Diagrams are drawn for these numbers of components. */
const DRAWN_COMPONENTS: ReadonlySet<number> = new Set([2, 3, 4]);

/** Corners of a simplex with edge 1: a line, an equilateral triangle, a regular tetrahedron. */
const CORNERS: readonly (readonly number[])[] = [
  [0, 0, 0],
  [1, 0, 0],
  [1 / 2, Math.sqrt(3) / 2, 0],
  [1 / 2, Math.sqrt(3) / 6, Math.sqrt(6) / 3],
];

/**
 * Coordinates of a phase. With two components, x is the fraction of the second and y the formation energy in eV/atom.
 * With three, the triangle has the first component at (0, 0), the second at (1, 0), the third at (½, √3/2). With four,
 * the fourth is above the centre of that triangle. Fractions are atomic.
 * @throws PhaseEquilibriaError `outside-system`
 */
export function diagramCoordinates(
  hull: Hull,
  entry: Pick<PhaseEntry, 'composition'>,
  formationEnergyPerAtom: number,
): readonly number[] {
  const amounts = amountsIn(hull, entry.composition);
  const size = sum(amounts);
  return coordinatesAt(
    amounts.map((amount) => amount / size),
    formationEnergyPerAtom,
  );
}

function coordinatesAt(fractions: Float64Array, formationEnergyPerAtom: number): readonly number[] {
  if (fractions.length === 2) return [fractions[1], formationEnergyPerAtom];
  const axes = Array.from({ length: fractions.length - 1 }, (_, axis) => axis);
  return axes.map((axis) => fractions.reduce((total, fraction, c) => total + fraction * CORNERS[c][axis], 0));
}

/**
 * Points and lines of a diagram of two, three or four components.
 * @throws PhaseEquilibriaError `component-count` for any other number
 */
export function phaseDiagramGeometry<Entry extends PhaseEntry>(
  hull: Hull<Entry>,
): PhaseDiagramGeometry<Entry> {
  const { components } = hull.space;
  const k = components.length;
  if (!DRAWN_COMPONENTS.has(k))
    throw new PhaseEquilibriaError(
      'component-count',
      `a diagram of ${k} component${k === 1 ? '' : 's'} (${components.join(', ')}) cannot be drawn: choose 2 to 4`,
      components,
    );
  const above = energiesAboveHull(hull);
  const points = hull.entries.map((entry, index) => ({
    entry,
    formula: formulaUnit(entry.composition).formula,
    coordinates: coordinatesAt(hull.fractions.slice(index * k, index * k + k), hull.formationEnergies[index]),
    formationEnergyPerAtom: hull.formationEnergies[index],
    energyAboveHull: above[index],
  }));
  const stable = points.filter(({ energyAboveHull }) => energyAboveHull === 0);
  const place = new Map(stable.map(({ entry }, index) => [entry, index]));
  const lines = new Map<string, readonly [number, number]>();
  for (const { vertices } of facetsOf(hull)) {
    const ends = vertices
      .flatMap((vertex) => place.get(hull.entries[hull.vertexEntries[vertex]]) ?? [])
      .sort((a, b) => a - b);
    ends.forEach((a, i) => {
      for (const b of ends.slice(i + 1)) lines.set(`${a}-${b}`, [a, b]);
    });
  }
  return {
    corners: components.map((label, corner) => ({
      label,
      coordinates: coordinatesAt(
        Float64Array.from({ length: k }, (_, c) => (c === corner ? 1 : 0)),
        0,
      ),
    })),
    stable,
    unstable: points.filter(({ energyAboveHull }) => energyAboveHull > 0),
    lines: [...lines.values()],
  };
}
