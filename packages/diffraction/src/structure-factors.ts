/**
 * Kinematic intensities of all reflections of a crystal inside a range of angles: the core of this package.
 *
 * F(hkl) = Σ f(s) · occupancy · exp 2πi (h x + k y + l z); for neutrons the scattering length b replaces f(s).
 * Without anomalous dispersion |F(hkl)| = |F(−h−k−l)| (Friedel), so half of the reciprocal sphere is enough. With the
 * rotations of the space group only one reflection of each form is computed. Reference: V. K. Pecharsky and P. Y. Zavalij, Fundamentals of
 * Powder Diffraction and Structural Characterization of Materials, chapters 7 and 8 (Springer, 2nd ed. 2009).
 */
import type { Structure } from '@unitcell/crystal';
import { neutronScatteringLength, xrayScatteringCoefficients } from '@unitcell/elements';
import { determinant3, type Mat3 } from '@unitcell/numerics';
import { DiffractionError } from './diffraction-error.ts';
import { checkedTwoThetaRange, checkedWavelength, type Probe } from './radiation.ts';
import { listReflections, type ReflectionList } from './reflection-list.ts';
import { type ScatteringTable, scatteringTable, tabulatedScatteringFactor } from './scattering-table.ts';

/** Three lattice vectors do not span a cell if the volume is below this, Å³. */
const MIN_CELL_VOLUME = 1e-3;

/**
 * Limit on the phase factors stored for all atoms and indices: 320 MB of tables. A thousand atoms in a cell
 * of 100 Å need a million.
 */
export const MAX_PHASES = 20_000_000;

/** Anomalous dispersion of an element at one wavelength in electrons, or its neutron scattering length in fm. */
export interface AnomalousFactors {
  readonly real: number;
  readonly imaginary: number;
}

export interface ReflectionOptions {
  /** Å */
  readonly wavelength: number;
  /** Default X-rays. */
  readonly probe?: Probe | undefined;
  /** Both ends of the range in degrees; the ends are included. */
  readonly twoThetaRangeDeg: readonly [number, number];
  /**
   * Rotations W of the space group in the basis of the cell (x' = W x with a COLUMN x, rows of W listed). They only
   * save work: equivalent reflections h' = h·W are computed once. Omit them if unknown.
   */
  readonly symmetryRotations?: readonly Mat3[];
  /** Isotropic displacement parameters B (Å²) by element; 0 for elements that are not listed. */
  readonly debyeWallerB?: Readonly<Record<string, number>>;
  /** f′ and f″ (electrons) by element, for X-rays; 0 for elements that are not listed. Default: no anomalous dispersion. */
  readonly anomalous?: Readonly<Record<string, AnomalousFactors>>;
  /** Coefficients of the X-ray scattering factors; default: `xrayScatteringCoefficients`, those of common programs. */
  readonly coefficientsOf?: (element: string) => readonly number[] | undefined;
  /**
   * Estimated number of reflections (half sphere) beyond which the calculation is refused; default
   * MAX_REFLECTIONS.
   */
  readonly maxReflections?: number;
}

/** Unsorted reflections. Entry i of every array belongs to the same reflection. */
export interface Reflections {
  readonly count: number;
  readonly h: Int16Array;
  readonly k: Int16Array;
  readonly l: Int16Array;
  /** Squared length of the reciprocal vector, 1/d² in 1/Å². */
  readonly inverseDSquared: Float64Array;
  /** Multiplicity × |F|² × Lorentz–polarisation, in arbitrary units. */
  readonly intensity: Float64Array;
  /** Number of reflections of the full sphere that entry i represents (2 without symmetry). */
  readonly multiplicity: Int16Array;
}

/** Positions and occupancies grouped by element, because all atoms of an element share f(s). */
interface Scatterer {
  readonly coefficients: readonly number[];
  readonly b: number;
  readonly anomalous: AnomalousFactors;
  readonly x: number[];
  readonly weight: number[];
}

const NOT_ANOMALOUS: AnomalousFactors = { real: 0, imaginary: 0 };

/** A row of scattering coefficients without electrons: f(s) = 0. */
const NO_ELECTRONS: readonly number[] = [0];

/** @throws DiffractionError `unknown-element` */
function factorsOf(
  element: string,
  { probe, anomalous = {}, coefficientsOf = xrayScatteringCoefficients }: ReflectionOptions,
): Pick<Scatterer, 'coefficients' | 'anomalous'> {
  if (probe === 'neutron') {
    const length = neutronScatteringLength(element);
    if (length) return { coefficients: NO_ELECTRONS, anomalous: length };
    throw new DiffractionError(
      'unknown-element',
      `no coherent neutron scattering length is known for "${element}"`,
      { element, probe },
    );
  }
  const coefficients = coefficientsOf(element);
  if (coefficients) return { coefficients, anomalous: anomalous[element] ?? NOT_ANOMALOUS };
  throw new DiffractionError(
    'unknown-element',
    `no X-ray scattering factor is known for "${element}": the table covers H to Cf`,
    { element },
  );
}

function gatherScatterers(structure: Structure, options: ReflectionOptions): Scatterer[] {
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
        scatterer = {
          ...factorsOf(element, options),
          b: options.debyeWallerB?.[element] ?? 0,
          x: [],
          weight: [],
        };
        byElement.set(element, scatterer);
      }
      scatterer.x.push(x, y, z);
      scatterer.weight.push(occupancy);
    }
  }
  return [...byElement.values()];
}

/** exp 2πi n x for n = 0…max and every atom. Row n holds cos (and sin) of all atoms, so that rows are contiguous. */
interface PhaseTable {
  readonly cos: Float64Array;
  readonly sin: Float64Array;
}

function phaseTable(x: Float64Array, axis: number, max: number): PhaseTable {
  const atoms = x.length / 3;
  const cos = new Float64Array((max + 1) * atoms);
  const sin = new Float64Array((max + 1) * atoms);
  for (let j = 0; j < atoms; j++) {
    // The integer part of a coordinate changes no phase; small arguments keep their full precision.
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

/**
 * All reflections between the two angles with their powder intensities.
 *
 * Work: two real multiplications for each unique reflection and atom, and one form factor per reflection and element.
 * @throws DiffractionError `bad-wavelength`, `bad-range`, `bad-structure`, `unknown-element`, `too-many-reflections`.
 */
export function reflections(structure: Structure, options: ReflectionOptions): Reflections {
  const { intensity, ...found } = structureFactors(structure, options);
  const quarterWavelengthSquared = (options.wavelength * options.wavelength) / 4;
  for (let i = 0; i < found.count; i++) {
    const sinSquared = found.inverseDSquared[i] * quarterWavelengthSquared;
    const cosTwoTheta = 1 - 2 * sinSquared;
    const polarisation = options.probe === 'neutron' ? 1 : 1 + cosTwoTheta * cosTwoTheta;
    intensity[i] *= polarisation / (sinSquared * Math.sqrt(1 - sinSquared));
  }
  return { ...found, intensity };
}

/**
 * Like `reflections`, without the Lorentz–polarisation factor: `intensity` is multiplicity × |F|², and with anomalous
 * dispersion the mean of |F|² of a reflection and its Friedel mate.
 * @throws DiffractionError as `reflections`
 */
export function structureFactors(structure: Structure, options: ReflectionOptions): Reflections {
  const wavelength = checkedWavelength(options.wavelength);
  const [fromDeg, toDeg] = checkedTwoThetaRange(options.twoThetaRangeDeg);
  const lattice = structure.latticeVectors;
  const volume = Math.abs(determinant3(lattice));
  if (!(volume > MIN_CELL_VOLUME && Number.isFinite(volume)))
    throw new DiffractionError(
      'bad-structure',
      `the cell has the volume ${volume} Å³: expected three independent lattice vectors`,
    );
  const scatterers = gatherScatterers(structure, options);
  const gOf = (deg: number): number => (2 * Math.sin((deg * Math.PI) / 360)) / wavelength;
  const list = listReflections(
    lattice,
    gOf(fromDeg),
    gOf(toDeg),
    options.symmetryRotations ?? [],
    options.maxReflections,
  );
  const intensity = squaredAmplitudes(list, scatterers, gOf(toDeg) / 2);
  const { count, h, k, l, inverseDSquared, multiplicity } = list;
  for (let i = 0; i < count; i++) intensity[i] *= multiplicity[i];
  return { count, h, k, l, inverseDSquared, intensity, multiplicity };
}

/** w exp iφ of every atom with φ = 2π(hx + ky), for all reflections of a row of equal h and k. */
interface RowPhases {
  readonly cos: Float64Array;
  readonly sin: Float64Array;
}

function fillRow(
  row: RowPhases,
  weight: Float64Array,
  x: PhaseTable,
  y: PhaseTable,
  h: number,
  k: number,
): void {
  const atoms = weight.length;
  const signK = k < 0 ? -1 : 1;
  const offsetX = h * atoms;
  const offsetY = signK * k * atoms;
  for (let j = 0; j < atoms; j++) {
    const cx = x.cos[offsetX + j];
    const sx = x.sin[offsetX + j];
    const cy = y.cos[offsetY + j];
    const sy = signK * y.sin[offsetY + j];
    row.cos[j] = weight[j] * (cx * cy - sx * sy);
    row.sin[j] = weight[j] * (cx * sy + sx * cy);
  }
}

/**
 * Σ cos φ cos ψ, Σ sin φ sin ψ, Σ sin φ cos ψ and Σ cos φ sin ψ over the atoms from `from` to `to`, into `sums`. It is
 * separate because a small function is optimised long before the enclosing loops.
 */
function sumProducts(
  sums: Float64Array,
  row: RowPhases,
  z: PhaseTable,
  offset: number,
  from: number,
  to: number,
): void {
  const { cos, sin } = row;
  const { cos: cosZ, sin: sinZ } = z;
  let cc = 0;
  let ss = 0;
  let sc = 0;
  let cs = 0;
  for (let j = from; j < to; j++) {
    const c = cos[j];
    const s = sin[j];
    const cz = cosZ[offset + j];
    const sz = sinZ[offset + j];
    cc += c * cz;
    ss += s * sz;
    sc += s * cz;
    cs += c * sz;
  }
  sums[0] = cc;
  sums[1] = ss;
  sums[2] = sc;
  sums[3] = cs;
}

/**
 * |F|² of every listed reflection.
 *
 * With P = Σ w cos φ cos ψ, Q = Σ w sin φ sin ψ, R = Σ w sin φ cos ψ, S = Σ w cos φ sin ψ, φ = 2π(hx + ky) and ψ =
 * 2π|l|z, the pair (h, k, ±l) has the amplitudes (P ∓ Q) + i (R ± S): four products per atom give both. A row is
 * processed from both ends inwards, so that +l and −l are paired; if only one of them is in range, it is computed
 * alone.
 */
function squaredAmplitudes(
  list: ReflectionList,
  scatterers: readonly Scatterer[],
  sMax: number,
): Float64Array {
  const { count, h, k, l, inverseDSquared, bounds } = list;
  const positions = Float64Array.from(scatterers.flatMap((scatterer) => scatterer.x));
  const weight = Float64Array.from(scatterers.flatMap((scatterer) => scatterer.weight));
  const atoms = weight.length;
  const phases = atoms * bounds.reduce((sum, bound) => sum + bound + 1, 0);
  if (phases > MAX_PHASES)
    throw new DiffractionError(
      'too-many-reflections',
      `${atoms} atoms with indices up to ${bounds.join(', ')} need ${phases} phases: at most ${MAX_PHASES} are kept; take a reduced cell, a longer wavelength or a smaller angle`,
      { estimate: phases, limit: MAX_PHASES },
    );
  const factors = scatterers.map(({ coefficients, b, anomalous }) => ({
    table: scatteringTable(coefficients, sMax),
    b,
    real: anomalous.real,
    imaginary: anomalous.imaginary,
  }));
  const ends = new Int32Array(scatterers.length);
  scatterers.forEach((scatterer, t) => {
    ends[t] = (t === 0 ? 0 : ends[t - 1]) + scatterer.weight.length;
  });
  const x = phaseTable(positions, 0, bounds[0]);
  const y = phaseTable(positions, 1, bounds[1]);
  const z = phaseTable(positions, 2, bounds[2]);
  const row: RowPhases = { cos: new Float64Array(atoms), sin: new Float64Array(atoms) };
  const sums = new Float64Array(4);
  const result = new Float64Array(count);

  for (let first = 0, next = 0; first < count; first = next) {
    while (next < count && k[next] === k[first] && h[next] === h[first]) next += 1;
    fillRow(row, weight, x, y, h[first], k[first]);
    for (let low = first, high = next - 1; low <= high; ) {
      const reach = Math.max(l[high], -l[low]);
      const plus = l[high] === reach ? high-- : -1;
      const minus = l[low] === -reach ? low++ : -1;
      const sPlus = plus < 0 ? 0 : Math.sqrt(inverseDSquared[plus]) / 2;
      const sMinus = minus < 0 ? sPlus : Math.sqrt(inverseDSquared[minus]) / 2;
      let plusReal = 0;
      let plusImaginary = 0;
      let minusReal = 0;
      let minusImaginary = 0;
      // The four sums with f″ instead of f + f′; the cross terms of a reflection and its mate cancel.
      let plusReal2 = 0;
      let plusImaginary2 = 0;
      let minusReal2 = 0;
      let minusImaginary2 = 0;
      for (let t = 0; t < factors.length; t++) {
        sumProducts(sums, row, z, reach * atoms, t === 0 ? 0 : ends[t - 1], ends[t]);
        const p = sums[0];
        const q = sums[1];
        const r = sums[2];
        const s = sums[3];
        const { imaginary } = factors[t];
        const dampPlus = debyeWaller(factors[t], sPlus);
        const dampMinus = sMinus === sPlus ? dampPlus : debyeWaller(factors[t], sMinus);
        const fPlus = factorAt(factors[t], sPlus) * dampPlus;
        const fMinus = sMinus === sPlus ? fPlus : factorAt(factors[t], sMinus) * dampMinus;
        plusReal += fPlus * (p - q);
        plusImaginary += fPlus * (r + s);
        minusReal += fMinus * (p + q);
        minusImaginary += fMinus * (r - s);
        if (imaginary === 0) continue;
        const dampedPlus = imaginary * dampPlus;
        const dampedMinus = imaginary * dampMinus;
        plusReal2 += dampedPlus * (p - q);
        plusImaginary2 += dampedPlus * (r + s);
        minusReal2 += dampedMinus * (p + q);
        minusImaginary2 += dampedMinus * (r - s);
      }
      if (plus >= 0) result[plus] = plusReal ** 2 + plusImaginary ** 2 + plusReal2 ** 2 + plusImaginary2 ** 2;
      if (minus >= 0)
        result[minus] = minusReal ** 2 + minusImaginary ** 2 + minusReal2 ** 2 + minusImaginary2 ** 2;
    }
  }
  return result;
}

interface Factor {
  readonly table: ScatteringTable;
  readonly b: number;
  readonly real: number;
}

/** Debye–Waller factor exp(−B s²). */
const debyeWaller = ({ b }: Pick<Factor, 'b'>, s: number): number => (b === 0 ? 1 : Math.exp(-b * s * s));

/** f + f′ */
const factorAt = ({ table, real }: Factor, s: number): number => tabulatedScatteringFactor(table, s) + real;
