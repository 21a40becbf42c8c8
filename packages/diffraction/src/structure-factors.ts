/**
 * Kinematic intensities of all reflections of a crystal inside a range of angles: the kernel of this package.
 *
 * F(hkl) = Σ f(s) · occupancy · exp 2πi (h x + k y + l z); without anomalous dispersion |F(hkl)| = |F(−h−k−l)|
 * (Friedel), so half of the reciprocal sphere is enough. With the rotations of the space group only one
 * reflection of each form is computed. Reference: V. K. Pecharsky and P. Y. Zavalij, Fundamentals of Powder
 * Diffraction and Structural Characterization of Materials, chapters 7 and 8 (Springer, 2nd ed. 2009).
 */
import { reciprocalLattice, type Structure } from '@unitcell/crystal';
import { xrayScatteringCoefficients, xrayScatteringFactor } from '@unitcell/elements';
import { determinant3, dot3, type Mat3 } from '@unitcell/numerics';
import { DiffractionError } from './diffraction-error.ts';
import { checkedTwoThetaRange, checkedWavelength } from './radiation.ts';

/** Reflections (half sphere) beyond which a calculation is refused: about 10 s of work for 100 atoms. */
export const MAX_REFLECTIONS = 5_000_000;

export interface ReflectionOptions {
  /** Å */
  readonly wavelength: number;
  /** Both ends in degrees, inclusive. */
  readonly twoThetaRangeDeg: readonly [number, number];
  /**
   * Rotations W of the space group in the basis of the cell (x' = W x with a COLUMN x, rows of W listed), only
   * to save work: equivalent reflections h' = h·W are computed once. Leave out when unknown.
   */
  readonly symmetryRotations?: readonly Mat3[];
  /** Isotropic displacement parameters B (Å²) by element; absent elements have none. */
  readonly debyeWallerB?: Readonly<Record<string, number>>;
}

/** Unsorted reflections; entry i of every array belongs to the same reflection. */
export interface Reflections {
  readonly count: number;
  readonly h: Int16Array;
  readonly k: Int16Array;
  readonly l: Int16Array;
  /** Squared length of the reciprocal vector, 1/d² in 1/Å². */
  readonly inverseDSquared: Float64Array;
  /** Multiplicity × |F|² × Lorentz–polarisation, in arbitrary units common to all. */
  readonly intensity: Float64Array;
  /** Number of reflections of the full sphere that entry i stands for (2 without symmetry). */
  readonly multiplicity: Int16Array;
}

interface Scatterer {
  readonly coefficients: readonly number[];
  readonly b: number;
  readonly x: number[];
  readonly weight: number[];
}

/** Positions and occupancies gathered by element, because f(s) is shared by all atoms of an element. */
function gatherScatterers(structure: Structure, debyeWallerB: Readonly<Record<string, number>>): Scatterer[] {
  const byElement = new Map<string, Scatterer>();
  for (const site of structure.sites) {
    const [x, y, z] = site.fractionalCoords;
    if (!Number.isFinite(x + y + z))
      throw new DiffractionError(
        'bad-structure',
        `a site has the coordinates ${x}, ${y}, ${z}: expected finite numbers`,
      );
    for (const { element, occupancy } of site.species) {
      let scatterer = byElement.get(element);
      if (!scatterer) {
        const coefficients = xrayScatteringCoefficients(element);
        if (!coefficients)
          throw new DiffractionError(
            'unknown-element',
            `no X-ray scattering factor is known for "${element}": the table covers H to Cf`,
            { element },
          );
        scatterer = { coefficients, b: debyeWallerB[element] ?? 0, x: [], weight: [] };
        byElement.set(element, scatterer);
      }
      scatterer.x.push(x, y, z);
      scatterer.weight.push(occupancy);
    }
  }
  return [...byElement.values()];
}

/** exp 2πi n x for n = 0…max and every atom: row n holds cos (and sin) of all atoms, so rows are contiguous. */
function phaseTable(x: Float64Array, axis: number, max: number): { cos: Float64Array; sin: Float64Array } {
  const atoms = x.length / 3;
  const cos = new Float64Array((max + 1) * atoms);
  const sin = new Float64Array((max + 1) * atoms);
  for (let j = 0; j < atoms; j++) {
    // The whole part of a coordinate changes no phase, and small arguments keep full precision.
    const fraction = x[3 * j + axis] - Math.floor(x[3 * j + axis]);
    const c1 = Math.cos(2 * Math.PI * fraction);
    const s1 = Math.sin(2 * Math.PI * fraction);
    let c = 1;
    let s = 0;
    for (let n = 0; n <= max; n++) {
      cos[n * atoms + j] = c;
      sin[n * atoms + j] = s;
      const next = c * c1 - s * s1;
      s = c * s1 + s * c1;
      c = next;
    }
  }
  return { cos, sin };
}

/** Flat integer rotations, 9 numbers each, row by row. */
const flatRotations = (rotations: readonly Mat3[]): Int32Array =>
  Int32Array.from(rotations.flatMap((rotation) => rotation.flat().map(Math.round)));

/**
 * Number of reflections equivalent to (h, k, l) by the rotations and Friedel's law when this one is the
 * representative of its form (largest in lexicographic order), else 0.
 */
function formMultiplicity(h: number, k: number, l: number, rotations: Int32Array): number {
  let fixed = 0;
  for (let o = 0; o < rotations.length; o += 9) {
    let p = h * rotations[o] + k * rotations[o + 3] + l * rotations[o + 6];
    let q = h * rotations[o + 1] + k * rotations[o + 4] + l * rotations[o + 7];
    let r = h * rotations[o + 2] + k * rotations[o + 5] + l * rotations[o + 8];
    if (p < 0 || (p === 0 && (q < 0 || (q === 0 && r < 0)))) {
      p = -p;
      q = -q;
      r = -r;
    }
    if (p > h || (p === h && (q > k || (q === k && r > l)))) return 0;
    if (p === h && q === k && r === l) fixed += 1;
  }
  return (2 * (rotations.length / 9)) / fixed;
}

/** The four h,k,l,… columns of the reflections to compute, before intensities are known. */
function enumerateReflections(
  reciprocal: Mat3,
  lattice: Mat3,
  gMin: number,
  gMax: number,
  rotations: Int32Array,
) {
  const volume = Math.abs(determinant3(lattice));
  const estimate = ((2 * Math.PI) / 3) * volume * gMax ** 3;
  if (estimate > MAX_REFLECTIONS)
    throw new DiffractionError(
      'too-many-reflections',
      `a cell of ${volume.toFixed(0)} Å³ has about ${Math.round(estimate)} reflections in this range: at most ${MAX_REFLECTIONS} are computed; take a longer wavelength or a smaller angle`,
    );
  // |h| ≤ |a| |g| bounds every index; the innermost index is solved from the quadratic |g|² ≤ gMax².
  const [hMax, kMax, lMax] = [0, 1, 2].map((i) =>
    Math.floor(Math.sqrt(dot3(lattice[i], lattice[i])) * gMax + 1e-9),
  ) as [number, number, number];
  const [aa, bb, cc] = [0, 1, 2].map((i) => dot3(reciprocal[i], reciprocal[i])) as [number, number, number];
  const ab = 2 * dot3(reciprocal[0], reciprocal[1]);
  const ac = 2 * dot3(reciprocal[0], reciprocal[2]);
  const bc = 2 * dot3(reciprocal[1], reciprocal[2]);
  const limit = gMax * gMax;
  const lower = gMin * gMin;
  const useSymmetry = rotations.length > 9;
  let capacity = Math.ceil(estimate * 1.3) + 256;
  let hkl = new Int16Array(capacity * 4);
  let squared = new Float64Array(capacity);
  let count = 0;
  for (let h = 0; h <= hMax; h++) {
    for (let k = h === 0 ? 0 : -kMax; k <= kMax; k++) {
      const constant = aa * h * h + bb * k * k + ab * h * k;
      const linear = ac * h + bc * k;
      const discriminant = linear * linear - 4 * cc * (constant - limit);
      if (discriminant < 0) continue;
      const root = Math.sqrt(discriminant);
      let l = Math.ceil((-linear - root) / (2 * cc));
      if (h === 0 && k === 0) l = 1;
      const last = Math.floor((-linear + root) / (2 * cc));
      for (; l <= last; l++) {
        const g2 = constant + l * (linear + cc * l);
        if (g2 < lower) continue;
        const multiplicity = useSymmetry ? formMultiplicity(h, k, l, rotations) : 2;
        if (multiplicity === 0) continue;
        if (count === capacity) {
          capacity *= 2;
          const moreHkl = new Int16Array(capacity * 4);
          moreHkl.set(hkl);
          hkl = moreHkl;
          const moreSquared = new Float64Array(capacity);
          moreSquared.set(squared);
          squared = moreSquared;
        }
        hkl[4 * count] = h;
        hkl[4 * count + 1] = k;
        hkl[4 * count + 2] = l;
        hkl[4 * count + 3] = multiplicity;
        squared[count++] = g2;
      }
    }
  }
  return { count, hkl, squared, bounds: [hMax, kMax, lMax] as const };
}

/**
 * All reflections between the two angles with their powder intensities.
 *
 * Work: (unique reflections) × (atoms) complex products, and one form factor per reflection and element.
 * @throws DiffractionError `bad-wavelength`, `bad-range`, `bad-structure`, `unknown-element`, `too-many-reflections`.
 */
export function reflections(structure: Structure, options: ReflectionOptions): Reflections {
  const wavelength = checkedWavelength(options.wavelength);
  const [fromDeg, toDeg] = checkedTwoThetaRange(options.twoThetaRangeDeg);
  const lattice = structure.latticeVectors;
  const volume = Math.abs(determinant3(lattice));
  if (!(volume > 1e-3 && Number.isFinite(volume)))
    throw new DiffractionError(
      'bad-structure',
      `the cell has the volume ${volume} Å³: expected three independent lattice vectors`,
    );
  const scatterers = gatherScatterers(structure, options.debyeWallerB ?? {});
  const gOf = (deg: number): number => (2 * Math.sin((deg * Math.PI) / 360)) / wavelength;
  const { count, hkl, squared, bounds } = enumerateReflections(
    reciprocalLattice(lattice),
    lattice,
    gOf(fromDeg),
    gOf(toDeg),
    flatRotations(options.symmetryRotations ?? []),
  );

  const x = Float64Array.from(scatterers.flatMap((scatterer) => scatterer.x));
  const weight = Float64Array.from(scatterers.flatMap((scatterer) => scatterer.weight));
  const typeEnd = Int32Array.from(
    scatterers.map((_, t) =>
      scatterers.slice(0, t + 1).reduce((sum, scatterer) => sum + scatterer.weight.length, 0),
    ),
  );
  const tables = bounds.map((max, axis) => phaseTable(x, axis, max));
  const amplitudesSquared = squaredAmplitudes(count, hkl, squared, scatterers, weight, typeEnd, tables);

  const [h, k, l, multiplicity] = [0, 1, 2, 3].map(() => new Int16Array(count)) as [
    Int16Array,
    Int16Array,
    Int16Array,
    Int16Array,
  ];
  const intensity = new Float64Array(count);
  const quarterWavelengthSquared = (wavelength * wavelength) / 4;
  for (let i = 0; i < count; i++) {
    h[i] = hkl[4 * i]!;
    k[i] = hkl[4 * i + 1]!;
    l[i] = hkl[4 * i + 2]!;
    multiplicity[i] = hkl[4 * i + 3]!;
    const sinSquared = squared[i] * quarterWavelengthSquared;
    const cosTwoTheta = 1 - 2 * sinSquared;
    const lp = (1 + cosTwoTheta * cosTwoTheta) / (sinSquared * Math.sqrt(1 - sinSquared));
    intensity[i] = multiplicity[i] * amplitudesSquared[i] * lp;
  }
  return { count, h, k, l, inverseDSquared: squared.subarray(0, count), intensity, multiplicity };
}

/** |F|² of every listed reflection: the one long kernel, kept in a single loop nest for speed. */
function squaredAmplitudes(
  count: number,
  hkl: Int16Array,
  squared: Float64Array,
  scatterers: readonly Scatterer[],
  weight: Float64Array,
  typeEnd: Int32Array,
  tables: readonly { cos: Float64Array; sin: Float64Array }[],
): Float64Array {
  const atoms = weight.length;
  const [tableX, tableY, tableZ] = tables as [(typeof tables)[0], (typeof tables)[0], (typeof tables)[0]];
  const { cos: cosZ, sin: sinZ } = tableZ;
  const rowCos = new Float64Array(atoms);
  const rowSin = new Float64Array(atoms);
  const result = new Float64Array(count);
  let rowH = Number.NaN;
  let rowK = Number.NaN;
  for (let i = 0; i < count; i++) {
    const h = hkl[4 * i];
    const k = hkl[4 * i + 1];
    const l = hkl[4 * i + 2];
    if (h !== rowH || k !== rowK) {
      rowH = h;
      rowK = k;
      const signK = k < 0 ? -1 : 1;
      const offsetX = h * atoms;
      const offsetY = signK * k * atoms;
      for (let j = 0; j < atoms; j++) {
        const cx = tableX.cos[offsetX + j];
        const sx = tableX.sin[offsetX + j];
        const cy = tableY.cos[offsetY + j];
        const sy = signK * tableY.sin[offsetY + j];
        rowCos[j] = weight[j] * (cx * cy - sx * sy);
        rowSin[j] = weight[j] * (cx * sy + sx * cy);
      }
    }
    const signL = l < 0 ? -1 : 1;
    const offsetZ = signL * l * atoms;
    const sSquared = squared[i] / 4;
    let real = 0;
    let imaginary = 0;
    let j = 0;
    for (let t = 0; t < typeEnd.length; t++) {
      let typeReal = 0;
      let typeImaginary = 0;
      for (const end = typeEnd[t]; j < end; j++) {
        const cz = cosZ[offsetZ + j];
        const sz = signL * sinZ[offsetZ + j];
        typeReal += rowCos[j] * cz - rowSin[j] * sz;
        typeImaginary += rowCos[j] * sz + rowSin[j] * cz;
      }
      const scatterer = scatterers[t];
      let f = xrayScatteringFactor(scatterer.coefficients, sSquared);
      if (scatterer.b !== 0) f *= Math.exp(-scatterer.b * sSquared);
      real += f * typeReal;
      imaginary += f * typeImaginary;
    }
    result[i] = real * real + imaginary * imaginary;
  }
  return result;
}
