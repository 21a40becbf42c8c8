/**
 * High-symmetry points and paths of the 25 Bravais lattice variants of Setyawan and Curtarolo.
 *
 * Points are fractional coordinates in the reciprocal lattice of the primitive standard cell; parameters are those of
 * the conventional standard cell (monoclinic in the paper's form, α < 90°), with angles in radians. Labels are
 * TeX-like: `\Gamma`, `\Sigma_1`, `A_1`.
 *
 * W. Setyawan, S. Curtarolo, Comput. Mater. Sci. 49 (2010) 299, doi:10.1016/j.commatsci.2010.05.010, tables 2
 * to 21. One difference: the point M_2 of MCL, which no path uses, is given as the image of the printed (½,
 * η, −ν) under inversion, (½, 1−η, ν) modulo a lattice vector, as in pymatgen.
 */
import type { Vec3 } from '@unitcell/numerics';

export interface PathParameters {
  /** Å */
  readonly a: number;
  readonly b: number;
  readonly c: number;
  /** Radians; of the conventional cell if monoclinic, of the primitive cell if rhombohedral. */
  readonly alphaRad: number;
}

interface Variant {
  readonly points: (parameters: PathParameters) => Readonly<Record<string, Vec3>>;
  /** Branches separated by `|`, points by `-`. */
  readonly path: string;
}

const G = '\\Gamma';
const GAMMA: Readonly<Record<string, Vec3>> = { [G]: [0, 0, 0] };
/** Half of one reciprocal lattice vector. */
const HALF_A: Vec3 = [0.5, 0, 0];
const HALF_B: Vec3 = [0, 0.5, 0];
const HALF_C: Vec3 = [0, 0, 0.5];

/** η and the related parameters of the C-centred monoclinic variants 1 and 2. */
function mclc12({ a, b, c, alphaRad }: PathParameters): Record<string, Vec3> {
  const zeta = (2 - (b * Math.cos(alphaRad)) / c) / (4 * Math.sin(alphaRad) ** 2);
  const eta = 0.5 + (2 * zeta * c * Math.cos(alphaRad)) / b;
  const psi = 0.75 - a ** 2 / (4 * b ** 2 * Math.sin(alphaRad) ** 2);
  const phi = psi + ((0.75 - psi) * b * Math.cos(alphaRad)) / c;
  return {
    ...GAMMA,
    N: HALF_A,
    N_1: [0, -0.5, 0],
    F: [1 - zeta, 1 - zeta, 1 - eta],
    F_1: [zeta, zeta, eta],
    F_2: [-zeta, -zeta, 1 - eta],
    I: [phi, 1 - phi, 0.5],
    I_1: [1 - phi, phi - 1, 0.5],
    L: [0.5, 0.5, 0.5],
    M: [0.5, 0, 0.5],
    X: [1 - psi, psi - 1, 0],
    X_1: [psi, 1 - psi, 0],
    X_2: [psi - 1, -psi, 0],
    Y: [0.5, 0.5, 0],
    Y_1: [-0.5, -0.5, 0],
    Z: HALF_C,
  };
}

/** The C-centred monoclinic variants 3 and 4. */
function mclc34({ a, b, c, alphaRad }: PathParameters): Record<string, Vec3> {
  const mu = (1 + b ** 2 / a ** 2) / 4;
  const delta = (b * c * Math.cos(alphaRad)) / (2 * a ** 2);
  const zeta = mu - 0.25 + (1 - (b * Math.cos(alphaRad)) / c) / (4 * Math.sin(alphaRad) ** 2);
  const eta = 0.5 + (2 * zeta * c * Math.cos(alphaRad)) / b;
  const phi = 1 + zeta - 2 * mu;
  const psi = eta - 2 * delta;
  return {
    ...GAMMA,
    F: [1 - phi, 1 - phi, 1 - psi],
    F_1: [phi, phi - 1, psi],
    F_2: [1 - phi, -phi, 1 - psi],
    H: [zeta, zeta, eta],
    H_1: [1 - zeta, -zeta, 1 - eta],
    H_2: [-zeta, -zeta, 1 - eta],
    I: [0.5, -0.5, 0.5],
    M: [0.5, 0, 0.5],
    N: HALF_A,
    N_1: [0, -0.5, 0],
    X: [0.5, -0.5, 0],
    Y: [mu, mu, delta],
    Y_1: [1 - mu, -mu, -delta],
    Y_2: [-mu, -mu, -delta],
    Y_3: [mu, mu - 1, delta],
    Z: HALF_C,
  };
}

function mclc5({ a, b, c, alphaRad }: PathParameters): Record<string, Vec3> {
  const [cosine, sine] = [Math.cos(alphaRad), Math.sin(alphaRad)];
  const zeta = (b ** 2 / a ** 2 + (1 - (b * cosine) / c) / sine ** 2) / 4;
  const eta = 0.5 + (2 * zeta * c * cosine) / b;
  const mu = eta / 2 + b ** 2 / (4 * a ** 2) - (b * c * cosine) / (2 * a ** 2);
  const nu = 2 * mu - zeta;
  const rho = 1 - (zeta * a ** 2) / b ** 2;
  const omega = ((4 * nu - 1 - (b ** 2 * sine ** 2) / a ** 2) * c) / (2 * b * cosine);
  const delta = (zeta * c * cosine) / b + omega / 2 - 0.25;
  return {
    ...GAMMA,
    F: [nu, nu, omega],
    F_1: [1 - nu, 1 - nu, 1 - omega],
    F_2: [nu, nu - 1, omega],
    H: [zeta, zeta, eta],
    H_1: [1 - zeta, -zeta, 1 - eta],
    H_2: [-zeta, -zeta, 1 - eta],
    I: [rho, 1 - rho, 0.5],
    I_1: [1 - rho, rho - 1, 0.5],
    L: [0.5, 0.5, 0.5],
    M: [0.5, 0, 0.5],
    N: HALF_A,
    N_1: [0, -0.5, 0],
    X: [0.5, -0.5, 0],
    Y: [mu, mu, delta],
    Y_1: [1 - mu, -mu, -delta],
    Y_2: [-mu, -mu, -delta],
    Y_3: [mu, mu - 1, delta],
    Z: HALF_C,
  };
}

function mcl({ b, c, alphaRad }: PathParameters): Record<string, Vec3> {
  const eta = (1 - (b * Math.cos(alphaRad)) / c) / (2 * Math.sin(alphaRad) ** 2);
  const nu = 0.5 - (eta * c * Math.cos(alphaRad)) / b;
  return {
    ...GAMMA,
    A: [0.5, 0.5, 0],
    C: [0, 0.5, 0.5],
    D: [0.5, 0, 0.5],
    D_1: [0.5, 0.5, -0.5],
    E: [0.5, 0.5, 0.5],
    H: [0, eta, 1 - nu],
    H_1: [0, 1 - eta, nu],
    H_2: [0, eta, -nu],
    M: [0.5, eta, 1 - nu],
    M_1: [0.5, 1 - eta, nu],
    M_2: [0.5, 1 - eta, nu],
    X: HALF_B,
    Y: HALF_C,
    Y_1: [0, 0, -0.5],
    Z: HALF_A,
  };
}

/** The face-centred orthorhombic variants 1 and 3. */
function orcf13({ a, b, c }: PathParameters): Record<string, Vec3> {
  const zeta = (1 + a ** 2 / b ** 2 - a ** 2 / c ** 2) / 4;
  const eta = (1 + a ** 2 / b ** 2 + a ** 2 / c ** 2) / 4;
  return {
    ...GAMMA,
    A: [0.5, 0.5 + zeta, zeta],
    A_1: [0.5, 0.5 - zeta, 1 - zeta],
    L: [0.5, 0.5, 0.5],
    T: [1, 0.5, 0.5],
    X: [0, eta, eta],
    X_1: [1, 1 - eta, 1 - eta],
    Y: [0.5, 0, 0.5],
    Z: [0.5, 0.5, 0],
  };
}

function orcf2({ a, b, c }: PathParameters): Record<string, Vec3> {
  const eta = (1 + a ** 2 / b ** 2 - a ** 2 / c ** 2) / 4;
  const delta = (1 + b ** 2 / a ** 2 - b ** 2 / c ** 2) / 4;
  const phi = (1 + c ** 2 / b ** 2 - c ** 2 / a ** 2) / 4;
  return {
    ...GAMMA,
    C: [0.5, 0.5 - eta, 1 - eta],
    C_1: [0.5, 0.5 + eta, eta],
    D: [0.5 - delta, 0.5, 1 - delta],
    D_1: [0.5 + delta, 0.5, delta],
    L: [0.5, 0.5, 0.5],
    H: [1 - phi, 0.5 - phi, 0.5],
    H_1: [phi, 0.5 + phi, 0.5],
    X: [0, 0.5, 0.5],
    Y: [0.5, 0, 0.5],
    Z: [0.5, 0.5, 0],
  };
}

function orci({ a, b, c }: PathParameters): Record<string, Vec3> {
  const zeta = (1 + a ** 2 / c ** 2) / 4;
  const eta = (1 + b ** 2 / c ** 2) / 4;
  const delta = (b ** 2 - a ** 2) / (4 * c ** 2);
  const mu = (a ** 2 + b ** 2) / (4 * c ** 2);
  return {
    ...GAMMA,
    L: [-mu, mu, 0.5 - delta],
    L_1: [mu, -mu, 0.5 + delta],
    L_2: [0.5 - delta, 0.5 + delta, -mu],
    R: HALF_B,
    S: HALF_A,
    T: HALF_C,
    W: [0.25, 0.25, 0.25],
    X: [-zeta, zeta, zeta],
    X_1: [zeta, 1 - zeta, -zeta],
    Y: [eta, -eta, eta],
    Y_1: [1 - eta, eta, -eta],
    Z: [0.5, 0.5, -0.5],
  };
}

function orcc({ a, b }: PathParameters): Record<string, Vec3> {
  const zeta = (1 + a ** 2 / b ** 2) / 4;
  return {
    ...GAMMA,
    A: [zeta, zeta, 0.5],
    A_1: [-zeta, 1 - zeta, 0.5],
    R: [0, 0.5, 0.5],
    S: HALF_B,
    T: [-0.5, 0.5, 0.5],
    X: [zeta, zeta, 0],
    X_1: [-zeta, 1 - zeta, 0],
    Y: [-0.5, 0.5, 0],
    Z: HALF_C,
  };
}

function bct1({ a, c }: PathParameters): Record<string, Vec3> {
  const eta = (1 + c ** 2 / a ** 2) / 4;
  return {
    ...GAMMA,
    M: [-0.5, 0.5, 0.5],
    N: HALF_B,
    P: [0.25, 0.25, 0.25],
    X: HALF_C,
    Z: [eta, eta, -eta],
    Z_1: [-eta, 1 - eta, eta],
  };
}

function bct2({ a, c }: PathParameters): Record<string, Vec3> {
  const eta = (1 + a ** 2 / c ** 2) / 4;
  const zeta = a ** 2 / (2 * c ** 2);
  return {
    ...GAMMA,
    N: HALF_B,
    P: [0.25, 0.25, 0.25],
    '\\Sigma': [-eta, eta, eta],
    '\\Sigma_1': [eta, 1 - eta, -eta],
    X: HALF_C,
    Y: [-zeta, zeta, 0.5],
    Y_1: [0.5, 0.5, -zeta],
    Z: [0.5, 0.5, -0.5],
  };
}

function rhl1({ alphaRad }: PathParameters): Record<string, Vec3> {
  const eta = (1 + 4 * Math.cos(alphaRad)) / (2 + 4 * Math.cos(alphaRad));
  const nu = 0.75 - eta / 2;
  return {
    ...GAMMA,
    B: [eta, 0.5, 1 - eta],
    B_1: [0.5, 1 - eta, eta - 1],
    F: [0.5, 0.5, 0],
    L: HALF_A,
    L_1: [0, 0, -0.5],
    P: [eta, nu, nu],
    P_1: [1 - nu, 1 - nu, 1 - eta],
    P_2: [nu, nu, eta - 1],
    Q: [1 - nu, nu, 0],
    X: [nu, 0, -nu],
    Z: [0.5, 0.5, 0.5],
  };
}

function rhl2({ alphaRad }: PathParameters): Record<string, Vec3> {
  const eta = 1 / (2 * Math.tan(alphaRad / 2) ** 2);
  const nu = 0.75 - eta / 2;
  return {
    ...GAMMA,
    F: [0.5, -0.5, 0],
    L: HALF_A,
    P: [1 - nu, -nu, 1 - nu],
    P_1: [nu, nu - 1, nu - 1],
    Q: [eta, eta, eta],
    Q_1: [1 - eta, -eta, -eta],
    Z: [0.5, -0.5, 0.5],
  };
}

/** Triclinic, all reciprocal angles obtuse (or γ* = 90°). */
const TRI_A: Readonly<Record<string, Vec3>> = {
  ...GAMMA,
  L: [0.5, 0.5, 0],
  M: [0, 0.5, 0.5],
  N: [0.5, 0, 0.5],
  R: [0.5, 0.5, 0.5],
  X: HALF_A,
  Y: HALF_B,
  Z: HALF_C,
};

/** Triclinic, all reciprocal angles acute (or γ* = 90°). */
const TRI_B: Readonly<Record<string, Vec3>> = {
  ...GAMMA,
  L: [0.5, -0.5, 0],
  M: HALF_C,
  N: [-0.5, -0.5, 0.5],
  R: [0, -0.5, 0.5],
  X: [0, -0.5, 0],
  Y: HALF_A,
  Z: [-0.5, 0, 0.5],
};

const TRI_PATH = `X-${G}-Y|L-${G}-Z|N-${G}-M|R-${G}`;

/** Every variant by its name in the paper. */
export const K_PATH_VARIANTS = {
  CUB: {
    points: () => ({ ...GAMMA, X: HALF_B, R: [0.5, 0.5, 0.5], M: [0.5, 0.5, 0] }),
    path: `${G}-X-M-${G}-R-X|M-R`,
  },
  FCC: {
    points: () => ({
      ...GAMMA,
      K: [0.375, 0.375, 0.75],
      L: [0.5, 0.5, 0.5],
      U: [0.625, 0.25, 0.625],
      W: [0.5, 0.25, 0.75],
      X: [0.5, 0, 0.5],
    }),
    path: `${G}-X-W-K-${G}-L-U-W-L-K|U-X`,
  },
  BCC: {
    points: () => ({ ...GAMMA, H: [0.5, -0.5, 0.5], P: [0.25, 0.25, 0.25], N: HALF_C }),
    path: `${G}-H-N-${G}-P-H|P-N`,
  },
  TET: {
    points: () => ({
      ...GAMMA,
      A: [0.5, 0.5, 0.5],
      M: [0.5, 0.5, 0],
      R: [0, 0.5, 0.5],
      X: HALF_B,
      Z: HALF_C,
    }),
    path: `${G}-X-M-${G}-Z-R-A-Z|X-R|M-A`,
  },
  BCT1: { points: bct1, path: `${G}-X-M-${G}-Z-P-N-Z_1-M|X-P` },
  BCT2: { points: bct2, path: `${G}-X-Y-\\Sigma-${G}-Z-\\Sigma_1-N-P-Y_1-Z|X-P` },
  ORC: {
    points: () => ({
      ...GAMMA,
      R: [0.5, 0.5, 0.5],
      S: [0.5, 0.5, 0],
      T: [0, 0.5, 0.5],
      U: [0.5, 0, 0.5],
      X: HALF_A,
      Y: HALF_B,
      Z: HALF_C,
    }),
    path: `${G}-X-S-Y-${G}-Z-U-R-T-Z|Y-T|U-X|S-R`,
  },
  ORCF1: { points: orcf13, path: `${G}-Y-T-Z-${G}-X-A_1-Y|T-X_1|X-A-Z|L-${G}` },
  ORCF2: { points: orcf2, path: `${G}-Y-C-D-X-${G}-Z-D_1-H-C|C_1-Z|X-H_1|H-Y|L-${G}` },
  ORCF3: { points: orcf13, path: `${G}-Y-T-Z-${G}-X-A_1-Y|X-A-Z|L-${G}` },
  ORCI: { points: orci, path: `${G}-X-L-T-W-R-X_1-Z-${G}-Y-S-W|L_1-Y|Y_1-Z` },
  ORCC: { points: orcc, path: `${G}-X-S-R-A-Z-${G}-Y-X_1-A_1-T-Y|Z-T` },
  HEX: {
    points: () => ({
      ...GAMMA,
      A: HALF_C,
      H: [1 / 3, 1 / 3, 0.5],
      K: [1 / 3, 1 / 3, 0],
      L: [0.5, 0, 0.5],
      M: HALF_A,
    }),
    path: `${G}-M-K-${G}-A-L-H-A|L-M|K-H`,
  },
  RHL1: { points: rhl1, path: `${G}-L-B_1|B-Z-${G}-X|Q-F-P_1-Z|L-P` },
  RHL2: { points: rhl2, path: `${G}-P-Z-Q-${G}-F-P_1-Q_1-L-Z` },
  MCL: { points: mcl, path: `${G}-Y-H-C-E-M_1-A-X-H_1|M-D-Z|Y-D` },
  MCLC1: { points: mclc12, path: `${G}-Y-F-L-I|I_1-Z-F_1|Y-X_1|X-${G}-N|M-${G}` },
  MCLC2: {
    points: (parameters) => {
      const points = mclc12(parameters);
      const [zeta, , eta] = points.F_1;
      return { ...points, F_3: [1 - zeta, -zeta, 1 - eta] };
    },
    path: `${G}-Y-F-L-I|I_1-Z-F_1|N-${G}-M`,
  },
  MCLC3: { points: mclc34, path: `${G}-Y-F-H-Z-I-F_1|H_1-Y_1-X-${G}-N|M-${G}` },
  MCLC4: { points: mclc34, path: `${G}-Y-F-H-Z-I|H_1-Y_1-X-${G}-N|M-${G}` },
  MCLC5: { points: mclc5, path: `${G}-Y-F-L-I|I_1-Z-H-F_1|H_1-Y_1-X-${G}-N|M-${G}` },
  TRI1a: { points: () => TRI_A, path: TRI_PATH },
  TRI1b: { points: () => TRI_B, path: TRI_PATH },
  TRI2a: { points: () => TRI_A, path: TRI_PATH },
  TRI2b: { points: () => TRI_B, path: TRI_PATH },
} as const satisfies Readonly<Record<string, Variant>>;

export type KPathVariant = keyof typeof K_PATH_VARIANTS;
