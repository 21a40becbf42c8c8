/**
 * Sound velocities, Debye temperature and estimates of the thermal conductivity from the elastic moduli.
 *
 *   v_t = √(G/ρ),  v_l = √((K + 4G/3)/ρ),  v_m = [(1/v_l³ + 2/v_t³)/3]^(−1/3)
 *   θ_D = ħ/k_B · v_m · (6π²/V_a)^(1/3), V_a the volume per atom (O. L. Anderson, J. Phys. Chem. Solids 24 (1963) 909)
 * Snyder: R. M. Snyder et al. as parametrised for 300 K by J. Yan et al., Energy Environ. Sci. 8 (2015) 983; its two
 * parts depend on the number of atoms in the cell, so state the cell (primitive or conventional).
 * Clarke: D. R. Clarke, Surf. Coat. Technol. 163 (2003) 67. Cahill: D. G. Cahill et al., Phys. Rev. B 46 (1992) 6131.
 */
import { cellVolume, compositionOf, molarMass, type Structure } from '@unitcell/crystal';
import type { ElasticModuli } from './elastic-moduli.ts';

/** CODATA 2018 (E. Tiesinga et al., Rev. Mod. Phys. 93 (2021) 025010): SI units. */

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
  /** W/(m K), the sum of the two. */
  readonly snyderTotal: number;
  /** W/(m K), the lowest conductivity at high temperature. */
  readonly clarkeConductivity: number;
  /** W/(m K), the same for a disordered lattice. */
  readonly cahillConductivity: number;
}

/**
 * What follows from the moduli of a crystal and its structure; null when the Hill moduli are not positive, because
 * then there are no sound waves to speak of.
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
