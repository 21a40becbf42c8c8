/**
 * Physical constants, each in one place.
 *
 * CODATA 2022: P. J. Mohr, D. B. Newell, B. N. Taylor & E. Tiesinga, Rev. Mod. Phys. 97 (2025) 025002,
 * https://doi.org/10.1103/RevModPhys.97.025002. Values marked exact define the SI.
 */

/** C, exact. Also the joules of one electronvolt. */
export const ELEMENTARY_CHARGE_C = 1.602176634e-19;
/** J s, exact. */
export const PLANCK_J_S = 6.62607015e-34;
/** J s, h / 2π. */
export const REDUCED_PLANCK_J_S = PLANCK_J_S / (2 * Math.PI);
/** J/K, exact. */
export const BOLTZMANN_J_PER_K = 1.380649e-23;
/** eV/K, from exact values: 8.617333262…e-5. */
export const BOLTZMANN_EV_PER_K = BOLTZMANN_J_PER_K / ELEMENTARY_CHARGE_C;
/** 1/mol, exact. */
export const AVOGADRO_PER_MOL = 6.02214076e23;
/** m/s, exact. */
export const SPEED_OF_LIGHT_M_PER_S = 299792458;
/** kg, unified atomic mass unit. */
export const ATOMIC_MASS_KG = 1.66053906892e-27;
/** kg */
export const ELECTRON_MASS_KG = 9.1093837139e-31;
/** F/m */
export const VACUUM_PERMITTIVITY_F_PER_M = 8.8541878188e-12;
/** J/(mol K), from exact values: 8.314462618… */
export const GAS_CONSTANT_J_PER_MOL_K = AVOGADRO_PER_MOL * BOLTZMANN_J_PER_K;
/** C/mol, from exact values: 96485.33212… */
export const FARADAY_C_PER_MOL = AVOGADRO_PER_MOL * ELEMENTARY_CHARGE_C;
/** Å */
export const BOHR_RADIUS_ANGSTROM = 0.529177210544;
/** eV */
export const HARTREE_EV = 27.211386245981;
/** Å; the scattering length of one free electron. */
export const CLASSICAL_ELECTRON_RADIUS_ANGSTROM = 2.8179403205e-5;

/** kJ/mol for one eV per formula: 96.48533212… */
export const KJ_PER_MOL_PER_EV = FARADAY_C_PER_MOL / 1000;
/** eV Å; wavelength (Å) = this / photon energy (eV): 12398.41984… */
export const PHOTON_EV_ANGSTROM = (PLANCK_J_S * SPEED_OF_LIGHT_M_PER_S * 1e10) / ELEMENTARY_CHARGE_C;
/** GPa for one eV/Å³: 160.2176634 */
export const GPA_PER_EV_PER_CUBIC_ANGSTROM = ELEMENTARY_CHARGE_C * 1e21;
/** g/cm³ for one u/Å³: 1.66053906892 */
export const GRAM_PER_CUBIC_CM_PER_U_PER_CUBIC_ANGSTROM = ATOMIC_MASS_KG * 1e27;
/** mAh for one mole of elementary charges: 26801.48… */
export const MAH_PER_MOL = FARADAY_C_PER_MOL / 3.6;
