/**
 * The quasi-harmonic approximation: vibrations are harmonic at each volume, and their frequencies depend on it (M. Born, K. Huang,
 * Dynamical Theory of Crystal Lattices, 1954, §4; A. Togo, I. Tanaka, Scr. Mater. 108, 1 (2015)).
 */
import { cellVolume, type Structure, type SymmetryOperation } from '@unitcell/crystal';
import { GPA_PER_EV_PER_CUBIC_ANGSTROM } from '@unitcell/elements';
import type { Engine } from './engine.ts';
import { birchMurnaghan, fitPolynomial, scaledTo } from './equation-of-state.ts';
import { forceConstants, type Repeats } from './force-constants.ts';
import { meshFrequencies, SLOWEST, type ThermalProperties, thermalProperties } from './phonons.ts';
import { PotentialError } from './potential-error.ts';
import { relaxAtoms, TIGHT } from './relax.ts';

/** A crystal at a fixed volume. */
export interface VolumeState {
  /** Volume of the cell, Å³. */
  readonly volume: number;
  /** Energy of the cell with the atoms at rest, eV. */
  readonly energy: number;
  /** Thermal properties of the vibrations; the temperatures are the same at all volumes. */
  readonly thermal: readonly ThermalProperties[];
}

/** The crystal at one temperature, without pressure. */
export interface ThermalExpansion {
  /** K */
  readonly temperature: number;
  /** Volume of the cell, Å³. */
  readonly volume: number;
  /** Isothermal bulk modulus, GPa. */
  readonly bulkModulus: number;
  /** Expansion of the volume, α = (1/V) ∂V/∂T, 1/K; a third of it is the linear expansion averaged over directions. */
  readonly expansion: number;
  /** C_V + α² B V T, heat capacity at constant pressure, eV/K per cell. */
  readonly heatCapacity: number;
  /** α B V / C_V; null at 0 K. */
  readonly gruneisen: number | null;
}

/**
 * Fits the cubic polynomial in V^(−2/3), the form of the Birch–Murnaghan equation, to values at volumes; returns its
 * value and slope at a volume.
 */
function curveThrough(volumes: readonly number[], values: readonly number[]) {
  const [low, high] = [Math.min(...volumes), Math.max(...volumes)];
  const power = (volume: number): number => ((low + high) / 2 / volume) ** (2 / 3);
  const width = power(low) - 1;
  const x = (volume: number): number => (power(volume) - 1) / width;
  const [c0, c1, c2, c3] = fitPolynomial(volumes.map(x), values, 3);
  return {
    at: (volume: number): number => c0 + x(volume) * (c1 + x(volume) * (c2 + x(volume) * c3)),
    slope: (volume: number): number =>
      ((c1 + x(volume) * (2 * c2 + 3 * x(volume) * c3)) * (-2 / 3) * power(volume)) / (volume * width),
  };
}

/** The minimum of the fit, or null if it is outside the volumes. */
function minimumOf(points: Parameters<typeof birchMurnaghan>[0]) {
  try {
    return birchMurnaghan(points);
  } catch (error) {
    if (error instanceof PotentialError && error.code === 'no-minimum') return null;
    throw error;
  }
}

/**
 * Minimises F(V, T) = E(V) + F_vib(V, T) over the volume, with a Birch–Murnaghan equation at each temperature. The
 * expansion needs no differences between temperatures: ∂P/∂T at constant volume equals ∂S/∂V, so α = (1/B) ∂S/∂V.
 * @param states at least four volumes (seven or more are better), which enclose the equilibrium volumes of all
 * temperatures
 * @returns one entry for each temperature, until the crystal is larger than the largest volume
 * @throws PotentialError `no-minimum` when that is the first temperature
 */
export function thermalExpansion(states: readonly VolumeState[]): ThermalExpansion[] {
  const volumes = states.map(({ volume }) => volume);
  const rows: ThermalExpansion[] = [];
  for (const [k, { temperature }] of (states[0]?.thermal ?? []).entries()) {
    const through = (value: (thermal: ThermalProperties) => number) =>
      curveThrough(
        volumes,
        states.map(({ thermal }) => value(thermal[k])),
      );
    const points = states.map(({ volume, energy, thermal }) => ({
      volume,
      energy: energy + thermal[k].freeEnergy,
    }));
    const found = rows.length === 0 ? birchMurnaghan(points) : minimumOf(points);
    if (!found) return rows;
    const { volume, bulkModulus } = found;
    const bulk = bulkModulus / GPA_PER_EV_PER_CUBIC_ANGSTROM;
    const expansion = through(({ entropy }) => entropy).slope(volume) / bulk;
    const atConstantVolume = through(({ heatCapacity }) => heatCapacity).at(volume);
    rows.push({
      temperature,
      volume,
      bulkModulus,
      expansion,
      heatCapacity: atConstantVolume + expansion ** 2 * bulk * volume * temperature,
      gruneisen: atConstantVolume > 0 ? (expansion * bulk * volume) / atConstantVolume : null,
    });
  }
  return rows;
}

/** Volumes from 0.96 to 1.10 of the given volume; the range is asymmetric because crystals expand. */
const RATIOS: readonly number[] = [0.96, 0.97, 0.98, 0.99, 1, 1.01, 1.02, 1.03, 1.04, 1.06, 1.08, 1.1];

export interface VolumeStatesOptions {
  /** Supercell used for the displacements. */
  readonly repeats: Repeats;
  /** Number of wave vectors along each axis; the mesh does not contain Γ. */
  readonly mesh: Repeats;
  /** K */
  readonly temperatures: readonly number[];
  readonly operations?: readonly SymmetryOperation[];
  /** Shares of the volume, ascending; default 0.96 to 1.10. */
  readonly ratios?: readonly number[];
}

/**
 * Energies and phonons of a relaxed crystal whose cell is scaled to shares of its volume. Atoms are relaxed at each
 * volume. The shape of the cell does not change, so that crystals that are not cubic expand equally in all directions.
 * @returns one entry for each volume, up to the first volume above that of the crystal with an imaginary mode, where
 * sums over modes have no meaning
 * @throws PotentialError as `relaxAtoms` and `forceConstants`; `imaginary-modes` when a smaller volume has one
 */
export function volumeStates(
  engine: Engine,
  structure: Structure,
  { repeats, mesh, temperatures, operations = [], ratios = RATIOS }: VolumeStatesOptions,
): VolumeState[] {
  const states: VolumeState[] = [];
  for (const ratio of ratios) {
    const { evaluation, ...rest } = relaxAtoms(engine, scaledTo(structure, ratio), {
      ...TIGHT,
      ...(operations.length > 0 ? { operations } : {}),
    });
    const modes = meshFrequencies(forceConstants(engine, rest.structure, repeats, operations), mesh, 0.5);
    if (modes.frequencies.some((frequency) => frequency < SLOWEST)) {
      if (ratio > 1) return states;
      throw new PotentialError(
        'imaginary-modes',
        `imaginary modes at ${ratio.toFixed(2)} of the volume: the quasi-harmonic approximation needs a stable crystal`,
        { ratio },
      );
    }
    states.push({
      volume: cellVolume(rest.structure.latticeVectors),
      energy: evaluation.energy,
      thermal: thermalProperties(modes, temperatures),
    });
  }
  return states;
}
