/**
 * Hops of an ion into a vacancy on a neighbouring site of the same element: which hops a crystal has, and the
 * energy along one of them in a supercell with one ion missing.
 */
import {
  findPrimitiveCell,
  neighbourList,
  orderedSite,
  reduceMinkowski,
  type Structure,
  type SymmetryOperation,
} from '@unitcell/crystal';
import {
  add3,
  dot3,
  inverse3,
  type Mat3,
  multiply3,
  norm3,
  rowTimesMatrix3,
  scale3,
  subtract3,
  transpose3,
  type Vec3,
} from '@unitcell/numerics';
import type { Engine } from './engine.ts';
import { type Band, nudgedElasticBand } from './nudged-elastic-band.ts';
import { PotentialError } from './potential-error.ts';
import { relaxAtoms } from './relax.ts';
import { siteOperations } from './site-symmetry.ts';
import { supercellCells } from './supercell-cells.ts';

/** A class of hops that are equal by symmetry or by reversal. */
export interface VacancyHop {
  /** Å, straight from site to site. */
  readonly distance: number;
  /** Number of equal hops from the first site. */
  readonly multiplicity: number;
  /** Fractional coordinates of the site of the ion, in [0, 1), and of the vacancy. */
  readonly from: Vec3;
  readonly to: Vec3;
}

/** Å; longest hop. */
const LONGEST_HOP = 5.5;
/** Å; a hop that passes another site of the ion at a shorter distance consists of two hops. */
const PASSES = 1;
/** Å; tolerance for the translations of a cell that is not primitive. */
const CELL_TOLERANCE = 0.05;
/** Decimals of the coordinates by which equal hops are ordered. */
const ORDER_DECIMALS = 3;
/** Å */
const SEPARATION = { wanted: 10, least: 7.5 } as const;

const wrapped = (x: number): number => {
  const rest = Number((x - Math.floor(x)).toFixed(6));
  return rest >= 1 ? 0 : rest;
};

/** Negative if `a` comes first, by the first coordinate that differs. */
function order(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, i) => Math.abs(value - b[i]) > 10 ** -ORDER_DECIMALS);
  return at < 0 ? 0 : a[at] - b[at];
}

/**
 * The hops of an ion to neighbouring sites of its element, shortest first. The result does not depend on the order of
 * the sites.
 * @param operations of the structure, with its centring translations; without them every hop is a class of its own
 * @throws PotentialError `no-ion` when the structure lacks the element, `no-hop` when no hop is short enough
 */
export function vacancyHops(
  structure: Structure,
  ion: string,
  operations: readonly SymmetryOperation[] = [],
): readonly VacancyHop[] {
  const { latticeVectors, sites } = structure;
  const isIon = (site: number): boolean => sites[site].species[0].element === ion;
  const ions = sites.flatMap((_, site) => (isIon(site) ? [site] : []));
  if (ions.length === 0) throw new PotentialError('no-ion', `the crystal contains no ${ion}`, { ion });
  const neighbours = neighbourList(structure, LONGEST_HOP).map((list) =>
    list.filter(({ site }) => isIon(site)),
  );
  const vectorTo = (from: number, to: number, image: Vec3): Vec3 =>
    subtract3(add3(sites[to].fractionalCoords, image), sites[from].fractionalCoords);
  const cartesian = (v: Vec3): Vec3 => rowTimesMatrix3(v, latticeVectors);
  const isDirect = (from: number, along: Vec3): boolean =>
    neighbours[from].every(({ site, image }) => {
      const other = cartesian(vectorTo(from, site, image));
      const share = dot3(other, along) / dot3(along, along);
      return share <= 0.01 || share >= 0.99 || norm3(subtract3(other, scale3(along, share))) >= PASSES;
    });
  const keyOf = (from: number, to: number, image: Vec3): string => [from, to, ...image].join();
  const kept = siteOperations(structure, operations);
  const isDone = new Set<string>();
  const hops: VacancyHop[] = [];
  for (const start of ions)
    for (const { site: end, image, distance } of neighbours[start]) {
      if (isDone.has(keyOf(start, end, image)) || !isDirect(start, cartesian(vectorTo(start, end, image))))
        continue;
      const orbit = new Map<string, { from: number; to: number; image: Vec3 }>();
      const add = (from: number, to: number, translation: Vec3): void => {
        const [x, y, z] = translation.map((value) => Math.round(value) + 0);
        orbit.set(keyOf(from, to, [x, y, z]), { from, to, image: [x, y, z] });
      };
      const addBoth = (from: number, to: number, translation: Vec3): void => {
        add(from, to, translation);
        add(to, from, scale3(translation, -1));
      };
      addBoth(start, end, image);
      for (const { rotation, images, shifts } of kept) {
        const turned = rowTimesMatrix3(image, transpose3(rotation));
        addBoth(images[start], images[end], subtract3(add3(turned, shifts[end]), shifts[start]));
      }
      const members = [...orbit].map(([key, { from, to, image: translation }]) => {
        isDone.add(key);
        const [x, y, z] = sites[from].fractionalCoords.map(wrapped);
        const place: Vec3 = [x, y, z];
        const vector = vectorTo(from, to, translation);
        return { from, place, vector, order: [...place, ...cartesian(vector)] };
      });
      const [first] = members.sort((a, b) => order(a.order, b.order));
      hops.push({
        distance,
        multiplicity: members.filter(({ from }) => from === first.from).length,
        from: first.place,
        to: add3(first.place, first.vector),
      });
    }
  if (hops.length === 0)
    throw new PotentialError('no-hop', `no two sites of ${ion} are within ${LONGEST_HOP} Å`, {
      ion,
      limit: LONGEST_HOP,
    });
  return hops.sort((a, b) =>
    Math.abs(a.distance - b.distance) > 1e-3
      ? a.distance - b.distance
      : order([...a.from, ...a.to], [...b.from, ...b.to]),
  );
}

/** Upper triangular matrices of a determinant: one for every sublattice of that index (Hermite normal form). */
function* sublattices(index: number): Generator<Mat3> {
  for (let a = 1; a <= index; a++)
    for (let b = 1; a * b <= index; b++) {
      const c = index / (a * b);
      if (!Number.isInteger(c)) continue;
      for (let x = 0; x < b; x++)
        for (let y = 0; y < c; y++)
          for (let z = 0; z < c; z++)
            yield [
              [a, x, y],
              [0, b, z],
              [0, 0, c],
            ];
    }
}

function contains([[a, x, y], [, b, z], [, , c]]: Mat3, [u, v, w]: Vec3): boolean {
  const first = u / a;
  const second = (v - first * x) / b;
  return (
    Number.isInteger(first) && Number.isInteger(second) && Number.isInteger((w - first * y - second * z) / c)
  );
}

interface LatticeVector {
  /** In units of the basis. */
  readonly units: Vec3;
  readonly length: number;
  /** Å; the first component that is not zero is positive. */
  readonly cartesian: Vec3;
}

/**
 * One of each pair ±v of the lattice vectors up to a length, shortest first. The order depends on the lattice only, not
 * on its basis.
 */
function shortVectors(lattice: Mat3, limit: number): readonly LatticeVector[] {
  const [a, b, c] = transpose3(inverse3(lattice)).map((row) => Math.floor(limit * norm3(row)));
  const found: LatticeVector[] = [];
  for (let x = 0; x <= a; x++)
    for (let y = -b; y <= b; y++)
      for (let z = -c; z <= c; z++) {
        const isSecond = x === 0 && (y < 0 || (y === 0 && z <= 0));
        const vector = rowTimesMatrix3([x, y, z], lattice);
        const length = norm3(vector);
        if (isSecond || length > limit) continue;
        const sign = Math.sign(vector.find((value) => Math.abs(value) > 10 ** -ORDER_DECIMALS) ?? 1);
        found.push({ units: [x, y, z], length, cartesian: scale3(vector, sign) });
      }
  return found.sort((p, q) => order([p.length, ...p.cartesian], [q.length, ...q.cartesian]));
}

export interface HopSupercell {
  /** The host without a vacancy. */
  readonly structure: Structure;
  /** Å; distance of a vacancy from its nearest image. */
  readonly separation: number;
}

/**
 * The smallest supercell in which the images of a vacancy are 10 Å apart; if it would exceed `maxAtoms` atoms, the one
 * with the largest distance. Its axes need not be multiples of those of the given cell.
 * @throws PotentialError `hop-too-large` when the distance cannot reach 7.5 Å
 */
export function hopSupercell(host: Structure, maxAtoms: number): HopSupercell {
  const primitive = findPrimitiveCell(host, CELL_TOLERANCE);
  const atoms = primitive.sites.length;
  // Vectors beyond the wanted length choose between supercells of equal size.
  const limit = 1.3 * SEPARATION.wanted;
  const vectors = shortVectors(primitive.latticeVectors, limit);
  const separationOf = (rows: Mat3): number =>
    vectors.find(({ units }) => contains(rows, units))?.length ?? limit;
  // Supercells of one size are compared by their shortest vector, then by the next one, and so on. This also decides
  // between sublattices that differ only in their orientation.
  const isSparser = (rows: Mat3, other: Mat3): boolean => {
    const first = vectors.find(({ units }) => contains(rows, units) !== contains(other, units));
    return first !== undefined && contains(other, first.units);
  };
  let best: { readonly index: number; readonly rows: Mat3 } | undefined;
  let separation = 0;
  for (let index = 1; index * atoms <= maxAtoms && separation < SEPARATION.wanted; index++)
    for (const rows of sublattices(index)) {
      const isBetter =
        best?.index === index
          ? isSparser(rows, best.rows)
          : separationOf(rows) > separation + 10 ** -ORDER_DECIMALS;
      if (!isBetter) continue;
      best = { index, rows };
      separation = separationOf(rows);
    }
  if (!best || separation < SEPARATION.least)
    throw new PotentialError(
      'hop-too-large',
      `a supercell of at most ${maxAtoms} atoms cannot keep the images of the vacancy ${SEPARATION.least} Å apart (${best ? `${separation.toFixed(1)} Å` : `${atoms} atoms in the primitive cell`})`,
      { atoms, limit: maxAtoms, least: SEPARATION.least },
    );
  const latticeVectors = reduceMinkowski(multiply3(best.rows, primitive.latticeVectors));
  const toSupercell = multiply3(primitive.latticeVectors, inverse3(latticeVectors));
  const { cells } = supercellCells(best.rows);
  return {
    separation,
    structure: {
      latticeVectors,
      sites: cells.flatMap((cell) =>
        primitive.sites.map(({ key, fractionalCoords }) => {
          const [x, y, z] = rowTimesMatrix3(add3(fractionalCoords, cell), toSupercell);
          return orderedSite(key, [wrapped(x), wrapped(y), wrapped(z)]);
        }),
      ),
    },
  };
}

export interface HopBand extends Band {
  /** False if the ion or the vacancy does not stay on its site when the atoms relax. */
  readonly hasStableEnds: boolean;
}

/** eV/Å; limit of the forces on the relaxed ends, far below that of the band. */
const END_FORCE = 0.01;
/** Å; approximate distance between neighbouring images of the first path. */
const IMAGE_SPACING = 0.6;
/** Share of the hop by which the relaxed ends must differ. */
const LEAST_SHARE = 0.5;

/**
 * The energy along a hop, at fixed cell: both ends are relaxed, then the band.
 * @param host relaxed crystal to which the coordinates of the hop refer
 * @throws PotentialError as `relaxAtoms`
 */
export function hopBand(engine: Engine, host: Structure, hop: VacancyHop, cell: HopSupercell): HopBand {
  const { latticeVectors, sites } = cell.structure;
  const toFractional = inverse3(latticeVectors);
  const inCell = (coordinates: Vec3): Vec3 =>
    rowTimesMatrix3(rowTimesMatrix3(coordinates, host.latticeVectors), toFractional);
  const siteAt = (place: Vec3): number => {
    const misses = sites.map(({ fractionalCoords }) => {
      const [x, y, z] = subtract3(fractionalCoords, place);
      return norm3(
        rowTimesMatrix3([x - Math.round(x), y - Math.round(y), z - Math.round(z)], latticeVectors),
      );
    });
    return misses.indexOf(Math.min(...misses));
  };
  const [moving, removed] = [siteAt(inCell(hop.from)), siteAt(inCell(hop.to))];
  const vector = inCell(subtract3(hop.to, hop.from));
  const withIonAt = (share: number): Structure => ({
    latticeVectors,
    sites: sites.flatMap((site, index) => {
      if (index === removed) return [];
      if (index !== moving) return [site];
      return [{ ...site, fractionalCoords: add3(site.fractionalCoords, scale3(vector, share)) }];
    }),
  });
  const [start, end] = [0, 1].map(
    (share) => relaxAtoms(engine, withIonAt(share), { force: END_FORCE }).structure,
  );
  const ion = moving - (removed < moving ? 1 : 0);
  const [x, y, z] = subtract3(end.sites[ion].fractionalCoords, start.sites[ion].fractionalCoords);
  const moved = norm3(rowTimesMatrix3([x, y, z], latticeVectors));
  const images = Math.max(5, Math.round(hop.distance / IMAGE_SPACING));
  return {
    ...nudgedElasticBand(engine, start, end, { images }),
    hasStableEnds: moved >= LEAST_SHARE * hop.distance,
  };
}
