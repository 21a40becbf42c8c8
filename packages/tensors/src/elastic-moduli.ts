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
import { symmetricEigen } from '@unitcell/numerics';
import { assertShape, complianceOf, symmetrised, type Voigt6 } from './voigt.ts';

// Sound velocities, Debye temperature and estimates of the thermal conductivity from the elastic moduli.
//
//   v_t = √(G/ρ),  v_l = √((K + 4G/3)/ρ),  v_m = [(1/v_l³ + 2/v_t³)/3]^(−1/3)
//   θ_D = ħ/k_B · v_m · (6π²/V_a)^(1/3), V_a the volume per atom (O. L. Anderson, J. Phys. Chem. Solids 24 (1963) 909)
// Snyder: R. M. Snyder et al. as parametrised for 300 K by J. Yan et al., Energy Environ. Sci. 8 (2015) 983; its two
// parts depend on the number of atoms in the cell, so state the cell (primitive or conventional).
// Clarke: D. R. Clarke, Surf. Coat. Technol. 163 (2003) 67. Cahill: D. G. Cahill et al., Phys. Rev. B 46 (1992) 6131.

/** CODATA 2018 (E. Tiesinga et al., Rev. Mod. Phys. 93 (2021) 025010), in SI units. */

/** kg */
const ATOMIC_MASS_UNIT = 1.660_539_066_6e-27;
/** J s */
const REDUCED_PLANCK = 1.054_571_817e-34;
/** J/K, exact */
const BOLTZMANN = 1.380_649e-23;
/** m³ in one Å³ */
const CUBIC_ANGSTROM = 1e-30;
/** Pa in one GPa */
const GIGAPASCAL = 1e9;

/** Prefactors of the parametrised models, SI units. */
const SNYDER_ACOUSTIC = 0.38483;
const SNYDER_OPTICAL = 1.66914e-23;
const SNYDER_TEMPERATURE = 300;
const CLARKE = 0.87;
const CAHILL = 1 / 2.48;

export interface ElasticThermal {
  /** kg/m³ */
  readonly density: number;
  /** m/s */
  readonly transverseVelocity: number;
  /** m/s */
  readonly longitudinalVelocity: number;
  /** K */
  readonly debyeTemperature: number;
  /** W/(m K), acoustic branches, at 300 K. */
  readonly snyderAcoustic: number;
  /** W/(m K), optical branches. */
  readonly snyderOptical: number;
  /** W/(m K), the sum of the acoustic and optical parts. */
  readonly snyderTotal: number;
  /** W/(m K), the lowest conductivity at high temperature (Clarke). */
  readonly clarkeConductivity: number;
  /** W/(m K), the lowest conductivity of a disordered lattice (Cahill). */
  readonly cahillConductivity: number;
}

/**
 * Thermal quantities from the moduli and the structure of a crystal; null if the Hill moduli are not positive, because
 * such a crystal has no real sound velocities.
 * @example elasticThermal(elasticModuli(stiffness), silicon)?.debyeTemperature // 640 K
 */
export function elasticThermal(moduli: ElasticModuli, structure: Structure): ElasticThermal | null {
  const [bulk, shear] = [moduli.bulk.hill * GIGAPASCAL, moduli.shear.hill * GIGAPASCAL];
  if (!(bulk > 0 && shear > 0)) return null;
  const siteCount = structure.sites.length;
  const volume = cellVolume(structure.latticeVectors) * CUBIC_ANGSTROM;
  const cellMass = molarMass(compositionOf(structure)) * ATOMIC_MASS_UNIT;
  const density = cellMass / volume;
  const siteDensity = siteCount / volume;
  const meanMass = cellMass / siteCount;
  const transverse = Math.sqrt(shear / density);
  const longitudinal = Math.sqrt((bulk + (4 / 3) * shear) / density);
  const meanVelocity = ((longitudinal ** -3 + 2 * transverse ** -3) / 3) ** (-1 / 3);
  const averageVelocity = (longitudinal + 2 * transverse) / 3;
  const acoustic =
    (SNYDER_ACOUSTIC * meanMass * averageVelocity ** 3 * siteDensity ** (2 / 3)) /
    (SNYDER_TEMPERATURE * Math.cbrt(siteCount));
  const optical = SNYDER_OPTICAL * averageVelocity * siteDensity ** (2 / 3) * (1 - 1 / Math.cbrt(siteCount));
  return {
    density,
    transverseVelocity: transverse,
    longitudinalVelocity: longitudinal,
    debyeTemperature: (REDUCED_PLANCK / BOLTZMANN) * meanVelocity * Math.cbrt(6 * Math.PI ** 2 * siteDensity),
    snyderAcoustic: acoustic,
    snyderOptical: optical,
    snyderTotal: acoustic + optical,
    clarkeConductivity:
      CLARKE *
      BOLTZMANN *
      meanMass ** (-2 / 3) *
      density ** (1 / 6) *
      Math.sqrt(moduli.youngModulus * GIGAPASCAL),
    cahillConductivity: CAHILL * BOLTZMANN * siteDensity ** (2 / 3) * (longitudinal + 2 * transverse),
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
  /** K/G of Hill's moduli; above about 1.75 metals tend to be ductile (Pugh 1954). */
  readonly pughRatio: number;
  /** 1/GPa, Voigt order with engineering strains. */
  readonly compliance: Voigt6;
  /**
   * Eigenvalues of the 6×6 matrix in Voigt notation, GPa, ascending; all are positive if and only if every strain costs
   * energy.
   */
  readonly eigenvalues: readonly number[];
  /** Born's condition: all eigenvalues are positive. F. Mouhat, F.-X. Coudert, Phys. Rev. B 90 (2014) 224104. */
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
  const eigenvalues = symmetricEigen(c).values;
  return {
    bulk,
    shear,
    universalAnisotropy: (5 * shear.voigt) / shear.reuss + bulk.voigt / bulk.reuss - 6,
    poissonRatio: (3 * k - 2 * g) / (6 * k + 2 * g),
    youngModulus: (9 * k * g) / (3 * k + g),
    pughRatio: k / g,
    compliance: s,
    eigenvalues,
    isMechanicallyStable: eigenvalues.every((value) => value > 0),
  };
}

const bounds = (voigt: number, reuss: number): ModulusBounds => ({ voigt, reuss, hill: (voigt + reuss) / 2 });

/** The sums 11 + 22 + 33, 12 + 13 + 23 and 44 + 55 + 66. */
const partialSums = (m: Voigt6): readonly [number, number, number] => [
  m[0][0] + m[1][1] + m[2][2],
  m[0][1] + m[0][2] + m[1][2],
  m[3][3] + m[4][4] + m[5][5],
];
