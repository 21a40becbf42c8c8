/**
 * Pourbaix diagrams: the solids and ions of given elements that are stable in water, by pH and potential.
 *
 * Oxygen, hydrogen and electrons are exchanged with water and electrode, so the Gibbs energy of a species is
 * linear in pH and V. The stable species of a mixture form a facet of the convex hull over composition, H⁺ and
 * e⁻ (A. M. Patel, J. K. Nørskov, K. A. Persson, J. H. Montoya, Phys. Chem. Chem. Phys. 21, 25323 (2019),
 * doi:10.1039/C9CP04799A; ions and their reference solids: K. A. Persson, B. Waldwick, P. Lazic, G. Ceder,
 * Phys. Rev. B 85, 235438 (2012)). At a fixed ratio of the elements the energy is a concave function of pH and
 * V, made of planes. The diagram is the projection of this function from below. It is found without computing
 * the hull: a linear programme gives the lowest plane at a point. The corners of the planes found so far are
 * tested until none of them has a lower plane. The regions are then exact.
 */
import { atomCount, type Composition } from '@unitcell/crystal';
import { luFactor, luSolve } from '@unitcell/numerics';
import { PhaseEquilibriaError } from './error.ts';
import { cut, type PolygonCorner } from './region-polygon.ts';

/** Gibbs energy of formation of liquid water at 298.15 K, eV. */
export const WATER_GIBBS = -2.4583;
/** kT ln 10 at 298.15 K, eV; volts per unit of pH, rounded as in the papers. */
export const VOLTS_PER_PH = 0.0591;
/** Standard potential of O2 + 4 H⁺ + 4 e⁻ → 2 H2O at pH 0 against the standard hydrogen electrode, V. */
export const OXYGEN_POTENTIAL = -WATER_GIBBS / 2;

/** Maximum number of elements other than O and H in one diagram. */
export const MAX_POURBAIX_ELEMENTS = 3;

export interface AqueousSpecies {
  readonly phase: 'solid' | 'ion';
  readonly composition: Composition;
  /** In elementary charges. */
  readonly charge: number;
  /** Gibbs energy of formation at 298.15 K and 1 mol/l, eV per formula. */
  readonly energy: number;
}

/** Gibbs energy as a function of pH and V: constant + ph · pH + potential · V. */
export interface EnergyPlane {
  readonly constant: number;
  readonly ph: number;
  readonly potential: number;
}

export interface SpeciesAmount<Species extends AqueousSpecies = AqueousSpecies> {
  readonly species: Species;
  /** Formula units of the species per atom of the mixture, not counting O and H. */
  readonly amount: number;
}

export interface Assemblage<Species extends AqueousSpecies = AqueousSpecies> {
  readonly species: readonly SpeciesAmount<Species>[];
  /** eV per atom of the mixture, not counting O and H. */
  readonly plane: EnergyPlane;
}

export interface PourbaixRegion<Species extends AqueousSpecies = AqueousSpecies> extends Assemblage<Species> {
  /**
   * Corners with pH as x and V as y, counter-clockwise. `limit` is the index of the region beyond the side that
   * starts at this corner.
   */
  readonly corners: readonly PolygonCorner[];
}

export interface PourbaixWindow {
  readonly ph: readonly [number, number];
  /** V against the standard hydrogen electrode. */
  readonly potential: readonly [number, number];
}

export interface PourbaixSystem<Species extends AqueousSpecies = AqueousSpecies> {
  /** Elements other than O and H. */
  readonly elements: readonly string[];
  /** Species of these elements with O and H; other species are ignored. */
  readonly species: readonly Species[];
  /** Total concentration of each element in solution, mol/l. */
  readonly concentration: Readonly<Record<string, number>>;
}

export const planeEnergy = ({ constant, ph, potential }: EnergyPlane, pH: number, volts: number): number =>
  constant + ph * pH + potential * volts;

/**
 * Energy of a species per formula unit, with water, H⁺ and e⁻ as reservoirs. An ion has the concentration of
 * its element divided by the number of its atoms other than O and H, so that the total concentration of the
 * element is the given one.
 */
export function speciesPlane(
  { phase, composition, charge, energy }: AqueousSpecies,
  concentration: Readonly<Record<string, number>>,
): EnergyPlane {
  const { O: oxygen = 0, H: hydrogen = 0, ...metals } = composition;
  const [first = ''] = Object.keys(metals);
  const activity = phase === 'ion' ? (concentration[first] ?? 1) / atomCount(metals) : 1;
  const protons = hydrogen - 2 * oxygen;
  return {
    constant: energy + VOLTS_PER_PH * Math.log10(activity) - WATER_GIBBS * oxygen,
    ph: VOLTS_PER_PH * protons,
    potential: protons - charge,
  };
}

/** Energies that differ by less than this (eV) are equal. */
const ENERGY_TOLERANCE = 1e-10;
/** Amounts below this count as zero. */
const AMOUNT_TOLERANCE = 1e-9;
/**
 * Limit on the rounds of corner tests. A diagram has tens of regions, and each round adds the planes found at
 * the new corners.
 */
const MAX_ROUNDS = 200;
const MAX_PIVOTS = 10_000;
/**
 * After this many pivots, the first improving species enters the basis (Bland's rule), so that the search
 * cannot cycle.
 */
const BLAND_AFTER = 60;

interface Column<Species extends AqueousSpecies> {
  readonly species: Species;
  readonly amounts: readonly number[];
  readonly plane: EnergyPlane;
}

/** The species of a system as columns of the linear programme: minimise Σ xᵢ gᵢ with Σ xᵢ nᵢ = ratio, xᵢ ≥ 0. */
function columnsOf<Species extends AqueousSpecies>({
  elements,
  species,
  concentration,
}: PourbaixSystem<Species>): readonly Column<Species>[] {
  const known = new Set([...elements, 'O', 'H']);
  return species.flatMap((one) => {
    const amounts = elements.map((element) => one.composition[element] ?? 0);
    const isInside = Object.keys(one.composition).every((element) => known.has(element));
    if (!isInside || amounts.every((amount) => amount === 0)) return [];
    return [{ species: one, amounts, plane: speciesPlane(one, concentration) }];
  });
}

/**
 * Solves the linear programme of one ratio at many points; each solution starts from the species of the
 * previous one.
 */
function programme<Species extends AqueousSpecies>(
  columns: readonly Column<Species>[],
  elements: readonly string[],
  ratio: readonly number[],
) {
  const k = elements.length;
  let basis = elements.map((element, e) => {
    const pure = columns.findIndex(({ amounts }) => amounts.every((amount, i) => amount > 0 === (i === e)));
    if (pure === -1)
      throw new PhaseEquilibriaError(
        'missing-reference',
        `no solid or ion has ${element} as its only element besides O and H`,
        [element],
      );
    return pure;
  });
  const costs = new Float64Array(columns.length);
  const matrixOf = (rows: readonly number[], isTransposed: boolean): number[] =>
    Array.from({ length: k * k }, (_, at) => {
      const [row, column] = [Math.floor(at / k), at % k];
      return isTransposed ? columns[rows[row]].amounts[column] : columns[rows[column]].amounts[row];
    });
  const solve = (isTransposed: boolean, right: readonly number[]): Float64Array => {
    const factors = luFactor(matrixOf(basis, isTransposed), k);
    if (factors === null) throw new Error('the basis of a Pourbaix programme is singular');
    return luSolve(factors, right);
  };
  const entering = (isCareful: boolean): number => {
    const prices = solve(
      true,
      basis.map((column) => costs[column]),
    );
    let [best, lowest] = [-1, -ENERGY_TOLERANCE];
    for (let j = 0; j < columns.length; j++) {
      let reduced = costs[j];
      let atoms = 0;
      for (let e = 0; e < k; e++) {
        reduced -= prices[e] * columns[j].amounts[e];
        atoms += columns[j].amounts[e];
      }
      if (reduced / atoms < lowest) {
        best = j;
        if (isCareful) break;
        lowest = reduced / atoms;
      }
    }
    return best;
  };
  const leaving = (column: number): number => {
    const [now, direction] = [solve(false, ratio), solve(false, columns[column].amounts)];
    let [place, smallest] = [-1, Number.POSITIVE_INFINITY];
    for (let i = 0; i < k; i++) {
      if (direction[i] <= AMOUNT_TOLERANCE) continue;
      const step = now[i] / direction[i];
      const isTie = Math.abs(step - smallest) < AMOUNT_TOLERANCE;
      if (isTie ? basis[i] < basis[place] : step < smallest) [place, smallest] = [i, step];
    }
    return place;
  };
  return (pH: number, volts: number): Assemblage<Species> => {
    columns.forEach(({ plane }, j) => {
      costs[j] = planeEnergy(plane, pH, volts);
    });
    for (let pivots = 0; pivots < MAX_PIVOTS; pivots++) {
      const column = entering(pivots > BLAND_AFTER);
      if (column === -1) break;
      const place = leaving(column);
      basis = basis.map((old, i) => (i === place ? column : old));
    }
    const amounts = solve(false, ratio);
    const parts = basis
      .map((column, i) => ({ ...columns[column], amount: amounts[i] }))
      .filter(({ amount }) => amount > AMOUNT_TOLERANCE);
    const sum = (of: keyof EnergyPlane): number =>
      parts.reduce((total, { plane, amount }) => total + amount * plane[of], 0);
    return {
      species: parts.map(({ species, amount }) => ({ species, amount })),
      plane: { constant: sum('constant'), ph: sum('ph'), potential: sum('potential') },
    };
  };
}

const rectangle = ({ ph, potential }: PourbaixWindow): readonly PolygonCorner[] => [
  { x: ph[0], y: potential[0], limit: null },
  { x: ph[1], y: potential[0], limit: null },
  { x: ph[1], y: potential[1], limit: null },
  { x: ph[0], y: potential[1], limit: null },
];

/**
 * The part of the window where the energy plane `low` exceeds none of the other planes by more than `level`;
 * a convex polygon, because the lowest of the other planes is a concave function of pH and V. If `low` is the
 * plane of a compound and the others are those of the regions at its composition (all in one unit), it is the
 * part where the compound is at most `level` above the stable species.
 */
export function polygonBelow(
  low: EnergyPlane,
  others: readonly EnergyPlane[],
  level: number,
  window: PourbaixWindow,
): readonly PolygonCorner[] {
  let polygon = rectangle(window);
  others.forEach((other, index) => {
    if (other === low || polygon.length === 0) return;
    const halfPlane = {
      a: low.ph - other.ph,
      b: low.potential - other.potential,
      c: level + other.constant - low.constant,
    };
    polygon = cut(polygon, halfPlane, index);
  });
  return polygon;
}

const polygonOf = (planes: readonly EnergyPlane[], own: number, window: PourbaixWindow) =>
  polygonBelow(planes[own], planes, 0, window);

const doubleArea = (polygon: readonly PolygonCorner[]): number =>
  polygon.reduce((total, { x, y }, i) => {
    const next = polygon[(i + 1) % polygon.length];
    return total + x * next.y - next.x * y;
  }, 0);

/** Regions with a smaller area (pH · V) are rounding errors. */
const SMALLEST_REGION = 1e-9;

export interface PourbaixDiagram<Species extends AqueousSpecies = AqueousSpecies> {
  readonly elements: readonly string[];
  /** Shares of the elements, normalised to a sum of 1. */
  readonly ratio: readonly number[];
  readonly regions: readonly PourbaixRegion<Species>[];
}

/**
 * The regions of a Pourbaix diagram at one ratio of the elements. They tile the window.
 * @param ratio amounts of the elements, all positive
 * @throws PhaseEquilibriaError `component-count` unless there are 1 to 3 elements; `missing-reference` if an element
 * has no species; `invalid-entry` for a bad ratio
 */
export function pourbaixDiagram<Species extends AqueousSpecies>(
  system: PourbaixSystem<Species>,
  ratio: readonly number[],
  window: PourbaixWindow,
): PourbaixDiagram<Species> {
  const { elements } = system;
  if (elements.length === 0 || elements.length > MAX_POURBAIX_ELEMENTS)
    throw new PhaseEquilibriaError(
      'component-count',
      `a Pourbaix diagram has 1 to ${MAX_POURBAIX_ELEMENTS} elements besides O and H, not ${elements.length}`,
      elements,
    );
  const total = ratio.reduce((sum, amount) => sum + amount, 0);
  if (ratio.length !== elements.length || !ratio.every((amount) => amount > 0 && Number.isFinite(amount)))
    throw new PhaseEquilibriaError(
      'invalid-entry',
      `the ratio ${ratio.join(':')} needs a positive number for each of ${elements.join(', ')}`,
    );
  const shares = ratio.map((amount) => amount / total);
  const lowestAt = programme(columnsOf(system), elements, shares);
  const found: Assemblage<Species>[] = [];
  const tested = new Set<string>();
  const test = (x: number, y: number): boolean => {
    const key = `${x.toFixed(9)} ${y.toFixed(9)}`;
    if (tested.has(key)) return false;
    tested.add(key);
    const lowest = lowestAt(x, y);
    const energy = planeEnergy(lowest.plane, x, y);
    if (found.some(({ plane }) => planeEnergy(plane, x, y) < energy + ENERGY_TOLERANCE)) return false;
    found.push(lowest);
    return true;
  };
  test((window.ph[0] + window.ph[1]) / 2, (window.potential[0] + window.potential[1]) / 2);
  for (let round = 0, hasNew = true; hasNew && round < MAX_ROUNDS; round++) {
    const planes = found.map(({ plane }) => plane);
    const corners = planes.flatMap((_, own) => polygonOf(planes, own, window));
    hasNew = false;
    for (const { x, y } of corners) hasNew = test(x, y) || hasNew;
  }
  const planes = found.map(({ plane }) => plane);
  const drawn = found
    .map((assemblage, own) => ({ ...assemblage, own, corners: polygonOf(planes, own, window) }))
    .filter(({ corners }) => doubleArea(corners) > 2 * SMALLEST_REGION);
  const places = new Map(drawn.map(({ own }, index) => [own, index]));
  return {
    elements,
    ratio: shares,
    regions: drawn.map(({ species, plane, corners }) => ({
      species,
      plane,
      corners: corners
        .filter(({ x, y }, i) => {
          const next = corners[(i + 1) % corners.length];
          return Math.hypot(next.x - x, next.y - y) > ENERGY_TOLERANCE;
        })
        .map((corner) => ({
          ...corner,
          limit: corner.limit === null ? null : (places.get(corner.limit) ?? null),
        })),
    })),
  };
}

/**
 * The stable species at one point, without the regions.
 * @param ratio amounts of the elements, all positive
 * @throws PhaseEquilibriaError `missing-reference` if an element has no species
 */
export function pourbaixPoint<Species extends AqueousSpecies>(
  system: PourbaixSystem<Species>,
  ratio: readonly number[],
  pH: number,
  volts: number,
): Assemblage<Species> {
  const total = ratio.reduce((sum, amount) => sum + amount, 0);
  const shares = ratio.map((amount) => amount / total);
  return programme(columnsOf(system), system.elements, shares)(pH, volts);
}

/** The region that contains a point: the one with the lowest energy there. */
export function regionAt<Region extends { readonly plane: EnergyPlane }>(
  regions: readonly Region[],
  pH: number,
  volts: number,
): Region | undefined {
  let lowest: Region | undefined;
  for (const region of regions)
    if (lowest === undefined || planeEnergy(region.plane, pH, volts) < planeEnergy(lowest.plane, pH, volts))
      lowest = region;
  return lowest;
}

/**
 * Energy of a solid above the stable species of the same composition at a point, eV per atom (O and H
 * included); negative if the solid is more stable than all of them.
 * @param own the diagram at the ratio of the solid, or its regions as answered by the API
 */
export function pourbaixDecomposition(
  solid: Pick<AqueousSpecies, 'composition' | 'energy'>,
  own: readonly { readonly plane: EnergyPlane }[],
  pH: number,
  volts: number,
): number {
  const { O: _oxygen, H: _hydrogen, ...metals } = solid.composition;
  const plane = speciesPlane({ ...solid, phase: 'solid', charge: 0 }, {});
  const stable = regionAt(own, pH, volts);
  const lowest = stable === undefined ? 0 : planeEnergy(stable.plane, pH, volts) * atomCount(metals);
  return (planeEnergy(plane, pH, volts) - lowest) / atomCount(solid.composition);
}
