/**
 * Moduli of a polycrystal from the elastic tensor of the crystal.
 *
 * Voigt assumes equal strain in all grains, Reuss equal stress, Hill takes the mean of the two bounds:
 *   9 K_V  = (C11 + C22 + C33) + 2 (C12 + C13 + C23)
 *   15 G_V = (C11 + C22 + C33) − (C12 + C13 + C23) + 3 (C44 + C55 + C66)
 *   1/K_R  = (S11 + S22 + S33) + 2 (S12 + S13 + S23)
 *   15/G_R = 4 (S11 + S22 + S33) − 4 (S12 + S13 + S23) + 3 (S44 + S55 + S66)
 *   A_U    = 5 G_V/G_R + K_V/K_R − 6,  ν = (3K − 2G)/(6K + 2G),  E = 9KG/(3K + G)
 * R. Hill, Proc. Phys. Soc. A 65 (1952) 349; S. I. Ranganathan, M. Ostoja-Starzewski, Phys. Rev. Lett. 101 (2008)
 * 055504, doi:10.1103/PhysRevLett.101.055504. All moduli in GPa.
 */
import { symmetricEigen } from '@unitcell/numerics';
import { assertShape, complianceOf, symmetrised, type Voigt6 } from './voigt.ts';

export interface ModulusBounds {
  readonly voigt: number;
  readonly reuss: number;
  /** Hill's mean of the two. */
  readonly hill: number;
}

export interface ElasticModuli {
  /** GPa */
  readonly bulk: ModulusBounds;
  /** GPa */
  readonly shear: ModulusBounds;
  /** 0 for an isotropic crystal. */
  readonly universalAnisotropy: number;
  /** Of the polycrystal, from Hill's moduli. */
  readonly poissonRatio: number;
  /** GPa, of the polycrystal, from Hill's moduli. */
  readonly youngModulus: number;
  /** K/G of Hill's moduli; above about 1.75 metals tend to be ductile (Pugh 1954). */
  readonly pughRatio: number;
  /** 1/GPa, Voigt order with engineering strains. */
  readonly compliance: Voigt6;
  /** GPa, ascending, of the 6×6 matrix in Voigt notation: all positive exactly when every strain costs energy. */
  readonly eigenvalues: readonly number[];
  /** Born's condition: all eigenvalues positive. F. Mouhat, F.-X. Coudert, Phys. Rev. B 90 (2014) 224104. */
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

/** 11 + 22 + 33, 12 + 13 + 23, 44 + 55 + 66. */
const partialSums = (m: Voigt6): readonly [number, number, number] => [
  m[0][0] + m[1][1] + m[2][2],
  m[0][1] + m[0][2] + m[1][2],
  m[3][3] + m[4][4] + m[5][5],
];
