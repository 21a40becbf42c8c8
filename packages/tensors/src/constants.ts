/** CODATA 2018 (E. Tiesinga et al., Rev. Mod. Phys. 93 (2021) 025010): SI units. */

/** kg */
export const ATOMIC_MASS_UNIT = 1.660_539_066_6e-27;
/** J s */
export const REDUCED_PLANCK = 1.054_571_817e-34;
/** J/K, exact */
export const BOLTZMANN = 1.380_649e-23;
/** m³ in one Å³ */
export const CUBIC_ANGSTROM = 1e-30;
/** Pa in one GPa */
export const GIGAPASCAL = 1e9;
