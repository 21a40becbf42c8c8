/**
 * Physical constants, each in one place.
 *
 * CODATA 2022: P. J. Mohr, D. B. Newell, B. N. Taylor & E. Tiesinga, Rev. Mod. Phys. 97 (2025) 025002,
 * https://doi.org/10.1103/RevModPhys.97.025002. Values marked exact define the SI.
 */

/** C, exact. Also the joules of one electronvolt. */
export const ELEMENTARY_CHARGE_C = 1.602176634e-19;
/** J/K, exact. */
export const BOLTZMANN_J_PER_K = 1.380649e-23;
/** eV/K, from exact values: 8.617333262…e-5. */
export const BOLTZMANN_EV_PER_K = BOLTZMANN_J_PER_K / ELEMENTARY_CHARGE_C;
/** 1/mol, exact. */
export const AVOGADRO_PER_MOL = 6.02214076e23;
/** kg, unified atomic mass unit. */
export const ATOMIC_MASS_KG = 1.66053906892e-27;
/** C/mol, from exact values: 96485.33212… */
export const FARADAY_C_PER_MOL = AVOGADRO_PER_MOL * ELEMENTARY_CHARGE_C;
/** Å */
export const BOHR_RADIUS_ANGSTROM = 0.529177210544;
/** eV */
export const HARTREE_EV = 27.211386245981;

/** kJ/mol for one eV per formula: 96.48533212… */
export const KJ_PER_MOL_PER_EV = FARADAY_C_PER_MOL / 1000;
/** GPa for one eV/Å³: 160.2176634 */
export const GPA_PER_EV_PER_CUBIC_ANGSTROM = ELEMENTARY_CHARGE_C * 1e21;
/** g/cm³ for one u/Å³: 1.66053906892 */
export const GRAM_PER_CUBIC_CM_PER_U_PER_CUBIC_ANGSTROM = ATOMIC_MASS_KG * 1e27;
