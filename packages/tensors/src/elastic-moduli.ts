/**
 * Moduli of a polycrystal from the elastic tensor of the crystal.
 *
 * Voigt assumes equal strain in all grains, Reuss equal stress; Hill's value is the mean of the two bounds:
 *   9 K_V  = (C11 + C22 + C33) + 2 (C12 + C13 + C23)
 *   15 G_V = (C11 + C22 + C33) − (C12 + C13 + C23) + 3 (C44 + C55 + C66)
 *   1/K_R  = (S11 + S22 + S33) + 2 (S12 + S13 + S23)
 *   15/G_R = 4 (S11 + S22 + S33) − 4 (S12 + S13 + S23) + 3 (S44 + S55 + S66)
 *   A_U    = 5 G_V/G_R + K_V/K_R − 6,  ν = (3K − 2G)/(6K + 2G),  E = 9KG/(3K + G)
 * R. Hill, Proc. Phys. Soc. A 65 (1952) 349; S. I. Ranganathan, M. Ostoja-Starzewski, Phys. Rev. Lett. 101 (2008)
 * 055504, doi:10.1103/PhysRevLett.101.055504. All moduli in GPa.
 */
import { cellVolume, compositionOf, molarMass, type Structure } from '@unitcell/crystal';
import { ATOMIC_MASS_KG, BOLTZMANN_J_PER_K, PLANCK_J_S } from '@unitcell/elements';
import { symmetricEigen, add3, determinant3, dot3, norm3, scale3, type Vec3 } from '@unitcell/numerics';
import { assertShape, complianceOf, symmetrised, type Voigt6 } from './voigt.ts';
import { TensorError } from './tensor-error.ts';

// Sound velocities, Debye temperature and estimates of the thermal conductivity from the elastic moduli.
//
//   v_t = √(G/ρ),  v_l = √((K + 4G/3)/ρ),  v_m = [(1/v_l³ + 2/v_t³)/3]^(−1/3)
//   θ_D = h/k_B · v_m · (3/(4π V_a))^(1/3), V_a the volume per atom (O. L. Anderson, J. Phys. Chem. Solids 24 (1963)
//   909)
// Clarke: D. R. Clarke, Surf. Coat. Technol. 163 (2003) 67. Cahill: D. G. Cahill et al., Phys. Rev. B 46 (1992) 6131,
// its limit at high temperature.

/** m³ in one Å³ */
const CUBIC_ANGSTROM = 1e-30;
/** Pa in one GPa */
const GIGAPASCAL = 1e9;

/** Prefactors of the parametrised models, SI units. */
const CLARKE = 0.87;
const CAHILL = Math.cbrt(Math.PI / 6) / 2;

export interface ElasticThermal {
  /** kg/m³ */
  readonly density: number;
  /** m/s */
  readonly transverseVelocity: number;
  /** m/s */
  readonly longitudinalVelocity: number;
  /** K */
  readonly debyeTemperature: number;
  /** W/(m K), the lowest conductivity at high temperature (Clarke). */
  readonly clarkeConductivity: number;
  /** W/(m K), the lowest conductivity of a disordered lattice (Cahill). */
  readonly cahillConductivity: number;
}

/**
 * Thermal quantities from the moduli and the primitive cell of a crystal; null if the Hill moduli are not positive, because
 * such a crystal has no real sound velocities.
 * @example elasticThermal(elasticModuli(stiffness), silicon)?.debyeTemperature // 640 K
 */
export function elasticThermal(moduli: ElasticModuli, structure: Structure): ElasticThermal | null {
  const [bulk, shear] = [moduli.bulk.hill * GIGAPASCAL, moduli.shear.hill * GIGAPASCAL];
  if (!(bulk > 0 && shear > 0)) return null;
  const siteCount = structure.sites.length;
  const volume = cellVolume(structure.latticeVectors) * CUBIC_ANGSTROM;
  const cellMass = molarMass(compositionOf(structure)) * ATOMIC_MASS_KG;
  const density = cellMass / volume;
  const siteDensity = siteCount / volume;
  const meanMass = cellMass / siteCount;
  const transverse = Math.sqrt(shear / density);
  const longitudinal = Math.sqrt((bulk + (4 / 3) * shear) / density);
  const meanVelocity = ((longitudinal ** -3 + 2 * transverse ** -3) / 3) ** (-1 / 3);
  return {
    density,
    transverseVelocity: transverse,
    longitudinalVelocity: longitudinal,
    debyeTemperature:
      (PLANCK_J_S / BOLTZMANN_J_PER_K) * meanVelocity * Math.cbrt((3 * siteDensity) / (4 * Math.PI)),
    clarkeConductivity:
      CLARKE *
      BOLTZMANN_J_PER_K *
      meanMass ** (-2 / 3) *
      density ** (1 / 6) *
      Math.sqrt(moduli.youngModulus * GIGAPASCAL),
    cahillConductivity: CAHILL * BOLTZMANN_J_PER_K * siteDensity ** (2 / 3) * (longitudinal + 2 * transverse),
  };
}

export interface ModulusBounds {
  readonly voigt: number;
  readonly reuss: number;
  /** Hill's value: the mean of the two bounds. */
  readonly hill: number;
}

export interface ElasticModuli {
  /** GPa */
  readonly bulk: ModulusBounds;
  /** GPa */
  readonly shear: ModulusBounds;
  /** 0 for an isotropic crystal. */
  readonly universalAnisotropy: number;
  /** Poisson ratio of the polycrystal, from Hill's moduli. */
  readonly poissonRatio: number;
  /** Young's modulus of the polycrystal in GPa, from Hill's moduli. */
  readonly youngModulus: number;
  /**
   * Born's condition: every strain costs energy, so all eigenvalues of the matrix in Voigt notation are positive.
   * F. Mouhat, F.-X. Coudert, Phys. Rev. B 90 (2014) 224104.
   */
  readonly isMechanicallyStable: boolean;
}

/**
 * Moduli of a stiffness tensor in GPa (6×6, Voigt order xx yy zz yz xz xy).
 * @throws TensorError for a wrong shape, components that are not finite, an asymmetric or a singular tensor.
 * @example elasticModuli(stiffnessOfSilicon).bulk.hill // 97.9
 */
export function elasticModuli(stiffnessGPa: Voigt6): ElasticModuli {
  assertShape(stiffnessGPa, 6, 6, 'the elastic tensor');
  const c = symmetrised(stiffnessGPa, 'the elastic tensor');
  const s = complianceOf(c);
  const [cDiagonal, cCross, cShear] = partialSums(c);
  const [sDiagonal, sCross, sShear] = partialSums(s);
  const bulk = bounds((cDiagonal + 2 * cCross) / 9, 1 / (sDiagonal + 2 * sCross));
  const shear = bounds(
    (cDiagonal - cCross + 3 * cShear) / 15,
    15 / (4 * sDiagonal - 4 * sCross + 3 * sShear),
  );
  const [k, g] = [bulk.hill, shear.hill];
  return {
    bulk,
    shear,
    universalAnisotropy: (5 * shear.voigt) / shear.reuss + bulk.voigt / bulk.reuss - 6,
    poissonRatio: (3 * k - 2 * g) / (6 * k + 2 * g),
    youngModulus: (9 * k * g) / (3 * k + g),
    isMechanicallyStable: symmetricEigen(c).values.every((value) => value > 0),
  };
}

const bounds = (voigt: number, reuss: number): ModulusBounds => ({ voigt, reuss, hill: (voigt + reuss) / 2 });

/** The sums 11 + 22 + 33, 12 + 13 + 23 and 44 + 55 + 66. */
const partialSums = (m: Voigt6): readonly [number, number, number] => [
  m[0][0] + m[1][1] + m[2][2],
  m[0][1] + m[0][2] + m[1][2],
  m[3][3] + m[4][4] + m[5][5],
];

// Young's modulus of a single crystal along a direction n, and the surface over all directions.
// 1/E(n) = s_ijkl n_i n_j n_k n_l
// which in Voigt notation is a quadratic form in p = (n₁², n₂², n₃², n₂n₃, n₁n₃, n₁n₂): 1/E = pᵀ S p, because
// the factors of the engineering compliance are exactly those of the sum. Nye, Physical Properties of
// Crystals, VIII §10. C_nnnn, which some programs call the directional modulus, is a different quantity.

/** Number of steps, each of which divides every triangle into four; 4 steps give 2,562 directions, about 4° apart. */
const SUBDIVISIONS = 4;

/**
 * Young's modulus in GPa along `direction` (any length, Cartesian axes of the tensor).
 * @param compliance 1/GPa, Voigt order with engineering strains (`complianceOf`).
 * @throws TensorError for a direction without length.
 * @example youngModulusAlong(complianceOf(stiffness), [1, 1, 1])
 */
export function youngModulusAlong(compliance: Voigt6, direction: Vec3): number {
  const length = norm3(direction);
  if (!(length > 0 && Number.isFinite(length)))
    throw new TensorError(
      'unphysical',
      `the direction ${direction.join(', ')} has no length: expected a vector`,
    );
  const [x, y, z] = scale3(direction, 1 / length);
  const p = [x * x, y * y, z * z, y * z, x * z, x * y];
  let inverse = 0;
  for (let i = 0; i < 6; i++) for (let j = 0; j < 6; j++) inverse += p[i] * compliance[i][j] * p[j];
  return 1 / inverse;
}

export interface ModulusSurface {
  /** Unit vectors, spread evenly over the sphere. */
  readonly directions: readonly Vec3[];
  /** Modulus in GPa along each direction, which is the radius of the surface there. */
  readonly values: Float64Array;
  /** Triples of indices into `directions`, counter-clockwise seen from outside. */
  readonly triangles: readonly (readonly [number, number, number])[];
  /** The extremes, refined by a local search from every direction that none of its neighbours beats. */
  readonly minimum: Extreme;
  readonly maximum: Extreme;
}

interface Extreme {
  /** GPa */
  readonly value: number;
  readonly direction: Vec3;
}

/**
 * The surface E(n) as a closed mesh over a subdivided icosahedron, and its extremes.
 * @throws TensorError for a wrong shape.
 */
export function youngModulusSurface(compliance: Voigt6): ModulusSurface {
  assertShape(compliance, 6, 6, 'the compliance tensor');
  const { directions, triangles } = sphereMesh();
  const values = Float64Array.from(directions, (direction) => youngModulusAlong(compliance, direction));
  const extreme = (sign: 1 | -1): Extreme => {
    const beaten = new Set<number>();
    for (const [i, j, k] of triangles)
      for (const [p, q] of [
        [i, j],
        [j, k],
        [k, i],
      ])
        if (sign * values[p] < sign * values[q]) beaten.add(p);
    return directions
      .filter((_, index) => !beaten.has(index))
      .map((direction) => extremeNear(compliance, direction, sign))
      .reduce((first, second) => (sign * second.value > sign * first.value ? second : first));
  };
  return { directions, values, triangles, minimum: extreme(-1), maximum: extreme(1) };
}

/**
 * First and last step (radians) of the search for an extreme. The relative error of the modulus is about the
 * square of the last step.
 */
const FIRST_STEP = 0.2;
const LAST_STEP = 1e-6;

/** The highest (`sign` 1) or lowest (`sign` −1) modulus near a direction, by shrinking steps along ±x, ±y, ±z. */
function extremeNear(compliance: Voigt6, start: Vec3, sign: 1 | -1): Extreme {
  let best: Extreme = { value: youngModulusAlong(compliance, start), direction: start };
  for (let step = FIRST_STEP; step > LAST_STEP; ) {
    const neighbours = STEPS.map((axis) => unit(add3(best.direction, scale3(axis, step))));
    const better = neighbours
      .map((direction) => ({ value: youngModulusAlong(compliance, direction), direction }))
      .reduce((first, second) => (sign * second.value > sign * first.value ? second : first));
    if (sign * better.value > sign * best.value) best = better;
    else step /= 2;
  }
  return best;
}

const STEPS: readonly Vec3[] = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
];

type Triangle = readonly [number, number, number];

/** An icosahedron whose edges are halved `SUBDIVISIONS` times, with shared vertices on the unit sphere. */
function sphereMesh(): { directions: Vec3[]; triangles: Triangle[] } {
  const golden = (1 + Math.sqrt(5)) / 2;
  const signs = [1, -1];
  // Cyclic permutations of (0, ±1, ±φ), in the order used by the faces below.
  const directions = [0, 1, 2].flatMap((shift) =>
    signs.flatMap((p) =>
      signs.map((q): Vec3 => {
        const point = [0, p, q * golden];
        return unit([point[(3 - shift) % 3], point[(4 - shift) % 3], point[(5 - shift) % 3]]);
      }),
    ),
  );
  let triangles = icosahedronFaces(directions);
  for (let step = 0; step < SUBDIVISIONS; step++) {
    const middles = new Map<number, number>();
    const middle = (i: number, j: number): number => {
      const key = Math.min(i, j) * 1e6 + Math.max(i, j);
      let index = middles.get(key);
      if (index === undefined) {
        index = directions.push(unit(add3(directions[i], directions[j]))) - 1;
        middles.set(key, index);
      }
      return index;
    };
    triangles = triangles.flatMap(([i, j, k]): Triangle[] => {
      const [ij, jk, ki] = [middle(i, j), middle(j, k), middle(k, i)];
      return [
        [i, ij, ki],
        [j, jk, ij],
        [k, ki, jk],
        [ij, jk, ki],
      ];
    });
  }
  return { directions, triangles };
}

/** Cosine of the angle between neighbouring vertices of the icosahedron, 1/√5, minus an allowance for rounding. */
const NEIGHBOUR_COSINE = 1 / Math.sqrt(5) - 1e-6;

/** The 20 triples of mutual neighbours, oriented outwards. */
function icosahedronFaces(vertices: readonly Vec3[]): Triangle[] {
  const faces: Triangle[] = [];
  for (let i = 0; i < 12; i++)
    for (let j = i + 1; j < 12; j++)
      for (let k = j + 1; k < 12; k++) {
        const [a, b, c] = [vertices[i], vertices[j], vertices[k]];
        if (Math.min(dot3(a, b), dot3(b, c), dot3(a, c)) < NEIGHBOUR_COSINE) continue;
        faces.push(determinant3([a, b, c]) > 0 ? [i, j, k] : [i, k, j]);
      }
  return faces;
}

const unit = (vector: Vec3): Vec3 => scale3(vector, 1 / norm3(vector));
