/**
 * The lower convex envelope of heights given at points, in any number of dimensions. Facets are computed only
 * when a query needs them.
 *
 * Points are homogeneous: k coordinates of which k − 1 are free (atomic fractions that add up to one, or (1, x, y, …)).
 * A facet is a simplex of k points; its plane, a linear form on the k coordinates, touches the heights at these points
 * and is below all others. Two steps are enough. Crossing a ridge to the neighbouring facet is one ratio test, as in
 * gift wrapping. Walking across ridges towards a point is the dual simplex method, so evaluating the envelope at a
 * point is a linear program whose optimal bases are kept as facets.
 *
 * Ties are broken symbolically, without changing a height: equal heights are ordered by the sum of squared coordinates
 * (so that coplanar points form their Delaunay triangulation and none is left out), and remaining ties by fixed
 * pseudo-random numbers. All facets therefore belong to one triangulation.
 */
import { luFactor, luInverse } from './linear-solve.ts';
import { seededRandom } from './seeded-random.ts';

/**
 * Heights that differ by less than this share of the largest height are tied; this is a hundred times the rounding
 * error of a plane.
 */
export const TIE_TOLERANCE = 1e-12;

/**
 * A point is on a ridge if its coordinate across the ridge is at most this. Compositions of crystals differ by
 * far more than this (one atom in a thousand: 1e-6), rounding errors are far smaller.
 */
export const RIDGE_TOLERANCE = 1e-9;

/** Scale of the tie tolerance if all heights are smaller than this. */
const SMALLEST_HEIGHT = 1e-6;

const UNKNOWN = -1;
const BOUNDARY = -2;
/** The heights themselves and the two symbolic perturbations that break ties. */
const LEVELS = 3;

export interface EnvelopeFacet {
  /** Index of this facet in order of discovery. */
  readonly index: number;
  /** Indices of the k points at the corners of the facet. */
  readonly vertices: readonly number[];
  /** Coefficients of the plane of the facet: the height at x is plane · x. */
  readonly plane: Float64Array;
  /** Row l · x is the (barycentric) coordinate of x with respect to vertex l. The matrix is k×k, row-major. */
  readonly inverse: Float64Array;
  /** Facet across the ridge opposite to each vertex, or a negative marker. */
  readonly neighbours: Int32Array;
}

export class LowerEnvelope {
  /** Number of homogeneous coordinates. */
  readonly k: number;
  private readonly points: Float64Array;
  private readonly levels: readonly Float64Array[];
  private readonly tie: number;
  private readonly known: EnvelopeFacet[] = [];
  private readonly byVertices = new Map<string, number>();
  /**
   * Planes of all known facets, stored one after the other, because the scan over them is the inner loop of every
   * query.
   */
  private planes: Float64Array;
  private lastFound = 0;

  /**
   * @param points row-major, k homogeneous coordinates per point
   * @param heights one height per point
   * @param corners indices of k independent points to start from, such as the elements of a phase diagram
   * @throws RangeError when the corners are linearly dependent
   */
  constructor(points: Float64Array, heights: Float64Array, corners: readonly number[]) {
    this.k = corners.length;
    this.points = points;
    const random = seededRandom(20_110_101);
    const squares = heights.map((_, i) => {
      let sum = 0;
      for (let c = 0; c < this.k; c++) sum += points[i * this.k + c] ** 2;
      return sum;
    });
    this.levels = [heights, squares, heights.map(random)];
    this.tie =
      TIE_TOLERANCE *
      heights.reduce((largest, height) => Math.max(largest, Math.abs(height)), SMALLEST_HEIGHT);
    this.planes = new Float64Array(16 * this.k);
    this.findFirstFacet(corners);
  }

  /** Facets found so far. */
  get facetsKnown(): readonly EnvelopeFacet[] {
    return this.known;
  }

  /** Height of the envelope at x (k homogeneous coordinates; it scales with x). */
  heightAt(x: ArrayLike<number>): number {
    return this.planeAt(this.locate(x), x);
  }

  /**
   * Finds a facet of the envelope whose cone contains x.
   * @throws RangeError when x lies outside the cone of the points
   */
  locate(x: ArrayLike<number>): EnvelopeFacet {
    const { k } = this;
    let size = 0;
    for (let c = 0; c < k; c++) size += Math.abs(x[c]);
    const outside = -RIDGE_TOLERANCE * size;
    let facet = this.known[this.highestPlane(x)];
    // The dual simplex method rises at every step. The limit only protects against input that is not finite.
    for (let step = 0; step < 1000 + 100 * k; step++) {
      let leaving = -1;
      let lowest = outside;
      for (let l = 0; l < k; l++) {
        let coordinate = 0;
        for (let c = 0; c < k; c++) coordinate += facet.inverse[l * k + c] * x[c];
        if (coordinate < lowest && facet.neighbours[l] !== BOUNDARY) {
          lowest = coordinate;
          leaving = l;
        }
      }
      if (leaving < 0) {
        this.lastFound = facet.index;
        return this.assertContains(facet, x, outside);
      }
      const next = this.neighbour(facet, leaving);
      if (next !== null) facet = next;
    }
    throw new RangeError('LowerEnvelope: the search for a facet did not end; are all numbers finite?');
  }

  /** Coordinates of x with respect to the facet's vertices: x = Σ coordinate · vertex. */
  coordinates(facet: EnvelopeFacet, x: ArrayLike<number>): Float64Array {
    const { k } = this;
    const result = new Float64Array(k);
    for (let l = 0; l < k; l++) for (let c = 0; c < k; c++) result[l] += facet.inverse[l * k + c] * x[c];
    return result;
  }

  /** Height of the plane of a facet at x. */
  planeAt(facet: EnvelopeFacet, x: ArrayLike<number>): number {
    let height = 0;
    for (let c = 0; c < this.k; c++) height += facet.plane[c] * x[c];
    return height;
  }

  /** Every facet of the envelope, each once. The number of facets grows steeply with k; intended for k ≤ 6. */
  allFacets(): readonly EnvelopeFacet[] {
    for (let next = 0; next < this.known.length; next++)
      for (let l = 0; l < this.k; l++) this.neighbour(this.known[next], l);
    return this.known;
  }

  /** The facet across the ridge opposite to vertex l, or null at the boundary of the points. */
  neighbour(facet: EnvelopeFacet, l: number): EnvelopeFacet | null {
    const found = facet.neighbours[l];
    if (found >= 0) return this.known[found];
    if (found === BOUNDARY) return null;
    const entering = this.acrossRidge(facet, l);
    if (entering < 0) {
      facet.neighbours[l] = BOUNDARY;
      return null;
    }
    const vertices = facet.vertices.slice();
    vertices[l] = entering;
    const next = this.addFacet(vertices);
    facet.neighbours[l] = next.index;
    const back = next.vertices.indexOf(entering);
    next.neighbours[back] = facet.index;
    return next;
  }

  private assertContains(facet: EnvelopeFacet, x: ArrayLike<number>, outside: number): EnvelopeFacet {
    // Across a boundary ridge, a negative coordinate is accepted only within rounding.
    for (const coordinate of this.coordinates(facet, x))
      if (!(coordinate >= 1e3 * outside))
        throw new RangeError(
          `LowerEnvelope: the point [${Array.from(x).join(', ')}] lies outside the cone of the points`,
        );
    return facet;
  }

  private highestPlane(x: ArrayLike<number>): number {
    const { k, planes } = this;
    let best = this.lastFound;
    let highest = this.planeAt(this.known[best], x);
    const count = this.known.length;
    for (let f = 0, at = 0; f < count; f++) {
      let height = 0;
      for (let c = 0; c < k; c++) height += planes[at++] * x[c];
      if (height > highest) {
        highest = height;
        best = f;
      }
    }
    return best;
  }

  /**
   * Ratio test of the dual simplex method: the first point beyond ridge l that the plane of the facet meets.
   */
  private acrossRidge(facet: EnvelopeFacet, l: number): number {
    const { k, points, tie } = this;
    const [heights] = this.levels;
    const { plane, inverse } = facet;
    let best = -1;
    let bestGap = 0;
    let bestReach = 0;
    for (let j = 0, at = 0; j < heights.length; j++, at += k) {
      let reach = 0;
      let gap = heights[j];
      for (let c = 0; c < k; c++) {
        reach -= inverse[l * k + c] * points[at + c];
        gap -= plane[c] * points[at + c];
      }
      if (reach <= RIDGE_TOLERANCE) continue;
      // Compares the ratios gap / reach by cross-multiplication; gaps that differ by less than `tie` are equal.
      const difference = best < 0 ? Number.NEGATIVE_INFINITY : gap * bestReach - bestGap * reach;
      const slack = tie * (reach + bestReach);
      if (
        difference < -slack ||
        (difference <= slack && this.turnsSooner(facet, l, j, reach, best, bestReach))
      ) {
        best = j;
        bestGap = gap;
        bestReach = reach;
      }
    }
    return best;
  }

  /** Whether point j precedes point i across ridge l if their heights tie. */
  private turnsSooner(
    facet: EnvelopeFacet,
    l: number,
    j: number,
    reachJ: number,
    i: number,
    reachI: number,
  ): boolean {
    if (facet.vertices[l] === j || facet.vertices[l] === i) return false;
    for (let level = 1; level < LEVELS; level++) {
      const difference = this.gap(facet, j, level) * reachI - this.gap(facet, i, level) * reachJ;
      if (Math.abs(difference) > TIE_TOLERANCE * (reachI + reachJ)) return difference < 0;
    }
    return j < i;
  }

  /** How far point j is above the facet's plane, for the heights of one level. */
  private gap(facet: EnvelopeFacet, j: number, level: number): number {
    const { k, points } = this;
    const heights = this.levels[level];
    let gap = heights[j];
    for (let l = 0; l < k; l++) {
      let coordinate = 0;
      for (let c = 0; c < k; c++) coordinate += facet.inverse[l * k + c] * points[j * k + c];
      gap -= coordinate * heights[facet.vertices[l]];
    }
    return gap;
  }

  /** Primal simplex method from the corners, minimising the three levels of height in turn at an inner point. */
  private findFirstFacet(corners: readonly number[]): void {
    const { k, points } = this;
    // Weights without rational relations keep the inner point off every ridge.
    const random = seededRandom(7);
    const inner = new Float64Array(k);
    for (const corner of corners) {
      const weight = 1 + random();
      for (let c = 0; c < k; c++) inner[c] += weight * points[corner * k + c];
    }
    let facet = this.makeFacet([...corners], 0);
    for (;;) {
      const entering = this.lowestPoint(facet);
      if (entering < 0) break;
      const position = this.coordinates(facet, inner);
      const direction = this.coordinates(facet, points.subarray(entering * k, entering * k + k));
      let leaving = -1;
      for (let l = 0; l < k; l++) {
        if (direction[l] <= RIDGE_TOLERANCE) continue;
        if (leaving < 0 || position[l] * direction[leaving] < position[leaving] * direction[l]) leaving = l;
      }
      const vertices = facet.vertices.slice();
      vertices[leaving] = entering;
      facet = this.makeFacet(vertices, 0);
    }
    this.addFacet(facet.vertices);
  }

  /**
   * The point farthest below the facet's plane, on the first level of heights that has a point below it; −1
   * if no level has one.
   */
  private lowestPoint(facet: EnvelopeFacet): number {
    const { k, points, tie } = this;
    const { plane } = facet;
    const [heights] = this.levels;
    let lowest = -1;
    let lowestGap = -tie;
    let tied: number[] = [];
    for (let j = 0, at = 0; j < heights.length; j++, at += k) {
      let gap = heights[j];
      for (let c = 0; c < k; c++) gap -= plane[c] * points[at + c];
      if (gap > tie || facet.vertices.includes(j)) continue;
      if (gap < lowestGap) [lowest, lowestGap] = [j, gap];
      tied.push(j);
    }
    if (lowest >= 0) return lowest;
    for (let level = 1; level < LEVELS; level++) {
      const gaps = tied.map((j) => this.gap(facet, j, level));
      gaps.forEach((gap, i) => {
        if (gap < -TIE_TOLERANCE && (lowest < 0 || gap < gaps[lowest])) lowest = i;
      });
      if (lowest >= 0) return tied[lowest];
      tied = tied.filter((_, i) => Math.abs(gaps[i]) <= TIE_TOLERANCE);
    }
    return -1;
  }

  private makeFacet(vertices: readonly number[], index: number): EnvelopeFacet {
    const { k, points } = this;
    const [heights] = this.levels;
    const matrix = new Float64Array(k * k);
    for (let c = 0; c < k; c++) for (let l = 0; l < k; l++) matrix[c * k + l] = points[vertices[l] * k + c];
    const factors = luFactor(matrix, k);
    if (factors === null)
      throw new RangeError(
        `LowerEnvelope: the points ${vertices.join(', ')} span no simplex; are they independent?`,
      );
    const inverse = luInverse(factors);
    const plane = new Float64Array(k);
    for (let l = 0; l < k; l++)
      for (let c = 0; c < k; c++) plane[c] += heights[vertices[l]] * inverse[l * k + c];
    return { index, vertices, plane, inverse, neighbours: new Int32Array(k).fill(UNKNOWN) };
  }

  private addFacet(vertices: readonly number[]): EnvelopeFacet {
    const sorted = vertices.slice().sort((a, b) => a - b);
    const key = sorted.join();
    const known = this.byVertices.get(key);
    if (known !== undefined) return this.known[known];
    const facet = this.makeFacet(sorted, this.known.length);
    this.known.push(facet);
    this.byVertices.set(key, facet.index);
    if (this.planes.length < this.known.length * this.k) {
      const grown = new Float64Array(2 * this.planes.length);
      grown.set(this.planes);
      this.planes = grown;
    }
    this.planes.set(facet.plane, facet.index * this.k);
    return facet;
  }
}
