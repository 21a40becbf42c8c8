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
import { relax, TIGHT } from './relax.ts';

/** A crystal held at a volume. */
export interface VolumeState {
  /** Å³ of the cell. */
  readonly volume: number;
  /** eV of the cell, of the atoms at rest. */
  readonly energy: number;
  /** Of its vibrations; the temperatures are the same at all volumes. */
  readonly thermal: readonly ThermalProperties[];
}

/** The crystal at a temperature and no pressure. */
export interface ThermalExpansion {
  /** K */
  readonly temperature: number;
  /** Å³ of the cell. */
  readonly volume: number;
  /** Helmholtz energy of the cell with that of its vibrations, eV. */
  readonly freeEnergy: number;
  /** Isothermal, GPa. */
  readonly bulkModulus: number;
  /** Of the volume: α = (1/V) ∂V/∂T, 1/K; a third of it is the mean over directions of the linear one. */
  readonly expansion: number;
  /** At constant pressure, C_V + α² B V T, eV/K of the cell. */
  readonly heatCapacity: number;
  /** α B V / C_V; null at 0 K. */
  readonly gruneisen: number | null;
}

/** The cubic polynomial in V^(−2/3) through values at volumes, the form of the Birch–Murnaghan equation: value and slope at a volume. */
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

/** Null where the minimum lies outside the volumes. */
function minimumOf(points: Parameters<typeof birchMurnaghan>[0]) {
  try {
    return birchMurnaghan(points);
  } catch (error) {
    if (error instanceof PotentialError && error.code === 'no-minimum') return null;
    throw error;
  }
}

/**
 * Minimises F(V, T) = E(V) + F_vib(V, T) over the volume, with a Birch–Murnaghan equation at each temperature. The expansion needs no
 * differences of temperatures: ∂P/∂T at constant volume is ∂S/∂V, so α = (1/B) ∂S/∂V.
 * @param states at least four volumes, better seven or more, around those of all temperatures
 * @returns one entry a temperature, up to the first one at which the crystal is larger than the largest volume
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
    const { volume, energy: freeEnergy, bulkModulus } = found;
    const bulk = bulkModulus / GPA_PER_EV_PER_CUBIC_ANGSTROM;
    const expansion = through(({ entropy }) => entropy).slope(volume) / bulk;
    const atConstantVolume = through(({ heatCapacity }) => heatCapacity).at(volume);
    rows.push({
      temperature,
      volume,
      freeEnergy,
      bulkModulus,
      expansion,
      heatCapacity: atConstantVolume + expansion ** 2 * bulk * volume * temperature,
      gruneisen: atConstantVolume > 0 ? (expansion * bulk * volume) / atConstantVolume : null,
    });
  }
  return rows;
}

/** From 0.96 to 1.10 of the volume: crystals expand. */
const RATIOS: readonly number[] = [0.96, 0.97, 0.98, 0.99, 1, 1.01, 1.02, 1.03, 1.04, 1.06, 1.08, 1.1];

export interface VolumeStatesOptions {
  /** Supercell of the displacements. */
  readonly repeats: Repeats;
  /** Wave vectors along each axis, Γ not among them. */
  readonly mesh: Repeats;
  /** K */
  readonly temperatures: readonly number[];
  readonly operations?: readonly SymmetryOperation[];
  /** Shares of the volume, ascending; 0.96 to 1.10 when absent. */
  readonly ratios?: readonly number[];
}

/**
 * Energies and phonons of a relaxed crystal whose cell is scaled to shares of its volume, atoms relaxed at each. The shape of the cell
 * stays, so that crystals which are not cubic expand alike in all directions.
 * @returns one entry a volume, up to the first one beyond that of the crystal with a mode that is imaginary: sums over modes have no
 * meaning there
 * @throws PotentialError as `relax` and `forceConstants`; `imaginary-modes` when a smaller volume has one
 */
export function volumeStates(
  engine: Engine,
  structure: Structure,
  { repeats, mesh, temperatures, operations = [], ratios = RATIOS }: VolumeStatesOptions,
): VolumeState[] {
  const states: VolumeState[] = [];
  for (const ratio of ratios) {
    const { evaluation, ...rest } = relax(engine, scaledTo(structure, ratio), {
      ...TIGHT,
      cell: false,
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
