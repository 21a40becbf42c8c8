/**
 * From one result of our first-principles pipeline (ABINIT, PBE) to the compact band structure and density of
 * states that the seed keeps, in the shape of the import format.
 */
import { reciprocalLattice } from '@unitcell/crystal';
import { type Mat3, norm3, roundTo, type Vec3 } from '@unitcell/numerics';

/** The parts of a pipeline result that are read here. Energies in eV, lengths in Å, reciprocal lengths with 2π. */
export interface PipelineResult {
  readonly id: string;
  readonly method: {
    readonly code: string;
    readonly version: string;
    readonly functional: string;
    readonly paw: string;
    readonly ecut_ev: number;
    readonly preset: string;
    readonly kmesh_static: readonly number[];
    readonly smearing: string;
    readonly smearing_ev: number;
  };
  readonly structure: {
    readonly lattice: Mat3;
    readonly species: readonly string[];
    readonly symmetry: { readonly number: number; readonly symbol: string } | null;
  };
  readonly magnetization: number;
  readonly electronic: {
    readonly is_metal: boolean;
    readonly gap: number;
    readonly is_direct?: boolean;
    readonly fermi: number;
  };
  readonly bands: {
    readonly path: string;
    readonly special_points: Readonly<Record<string, Vec3>>;
    readonly distance: readonly number[];
    /** [spin][band][k] */
    readonly energies: readonly (readonly (readonly number[])[])[];
  } | null;
  readonly dos: {
    /** Relative to `zero`. */
    readonly energy: readonly number[];
    readonly zero: number;
    /** [spin][energy] */
    readonly total: readonly (readonly number[])[];
    readonly projected: readonly {
      readonly element: string;
      readonly orbital: string;
      readonly spin: number;
      readonly dos: readonly number[];
    }[];
  } | null;
}

/** Bands further than this from the Fermi level (eV) are left out: semicore below, poorly converged above. */
const KEPT_BELOW = 20;
const KEPT_ABOVE = 12;

/** Two neighbours of the path with distances closer than this (1/Å) are the two ends of a jump. */
const JUMP = 1e-6;

/** Relative mismatch allowed between the length of a segment and the tabulated distance; distances have 5 decimals. */
const SEGMENT_TOLERANCE = 1e-3;

const labelOf = (name: string): string => (name === 'G' ? 'Γ' : name);

/** `GXMG,XR1` → [[G, X, M, G], [X, R1]] */
export const pathSegments = (path: string): readonly (readonly string[])[] =>
  path.split(',').map((part) => part.match(/[A-Z]\d*/g) ?? []);

/** k-points of the path, rebuilt from the special points: within a segment they are evenly spread in distance. */
function kPointsOf(
  bands: NonNullable<PipelineResult['bands']>,
  lattice: Mat3,
): { kPoints: Vec3[]; labels: { index: number; label: string }[] } {
  const reciprocal = reciprocalLattice(lattice);
  const lengthBetween = (p: Vec3, q: Vec3): number => {
    const d: Vec3 = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
    const along = (k: 0 | 1 | 2): number =>
      2 * Math.PI * (d[0] * reciprocal[0][k] + d[1] * reciprocal[1][k] + d[2] * reciprocal[2][k]);
    return norm3([along(0), along(1), along(2)]);
  };
  const kPoints: Vec3[] = [];
  const labels: { index: number; label: string }[] = [];
  let index = 0;
  for (const names of pathSegments(bands.path)) {
    labels.push({ index, label: labelOf(names[0]) });
    if (index === kPoints.length) kPoints.push(bands.special_points[names[0]]);
    for (let corner = 1; corner < names.length; corner++) {
      const from = bands.special_points[names[corner - 1]];
      const to = bands.special_points[names[corner]];
      const length = lengthBetween(from, to);
      const start = bands.distance[index];
      while (
        index + 1 < bands.distance.length &&
        bands.distance[index + 1] < start + length * (1 + SEGMENT_TOLERANCE)
      ) {
        index++;
        if (bands.distance[index] - bands.distance[index - 1] < JUMP)
          throw new Error('the path jumps inside a segment.');
        const share = Math.min(1, (bands.distance[index] - start) / length);
        kPoints.push([
          roundTo(from[0] + share * (to[0] - from[0]), 6),
          roundTo(from[1] + share * (to[1] - from[1]), 6),
          roundTo(from[2] + share * (to[2] - from[2]), 6),
        ]);
        if (share > 1 - SEGMENT_TOLERANCE) break;
      }
      if (Math.abs(bands.distance[index] - start - length) > SEGMENT_TOLERANCE * length)
        throw new Error(
          `segment ${names[corner - 1]}–${names[corner]} is ${length.toFixed(5)} 1/Å long, but the distances say ${(bands.distance[index] - start).toFixed(5)}.`,
        );
      labels.push({ index, label: labelOf(names[corner]) });
    }
    index++;
  }
  if (kPoints.length !== bands.distance.length)
    throw new Error(
      `the path has ${kPoints.length} points, but there are ${bands.distance.length} distances.`,
    );
  return { kPoints, labels };
}

function bandStructure(result: PipelineResult): unknown {
  const { bands, structure, electronic } = result;
  if (bands === null) return undefined;
  const { kPoints, labels } = kPointsOf(bands, structure.lattice);
  const isKept = (spin: number, band: number): boolean => {
    const energies = bands.energies[spin][band];
    return (
      Math.max(...energies) > electronic.fermi - KEPT_BELOW &&
      Math.min(...energies) < electronic.fermi + KEPT_ABOVE
    );
  };
  const kept = bands.energies[0]
    .map((_, band) => band)
    .filter((band) => bands.energies.some((_, spin) => isKept(spin, band)));
  const channel = (spin: number): number[][] =>
    kPoints.map((_, k) => kept.map((band) => roundTo(bands.energies[spin][band][k], 3)));
  return {
    functional: 'PBE',
    kPoints,
    labels,
    kDistance: bands.distance.map((distance) => roundTo(distance, 5)),
    spinUp: channel(0),
    ...(bands.energies.length === 2 ? { spinDown: channel(1) } : {}),
    fermiEnergy: electronic.fermi,
    reciprocalLattice: reciprocalLattice(structure.lattice).map((row) =>
      row.map((x) => roundTo(2 * Math.PI * x, 6)),
    ),
  };
}

function densityOfStates(result: PipelineResult): unknown {
  const { dos, electronic } = result;
  if (dos === null) return undefined;
  const rounded = (values: readonly number[]): number[] => values.map((value) => roundTo(value, 3));
  const projected: Record<string, number[]> = {};
  for (const { element, orbital, spin, dos: values } of dos.projected)
    projected[`${element} ${orbital}${spin === 1 ? ' down' : ''}`] = rounded(values);
  return {
    functional: 'PBE',
    energies: dos.energy.map((energy) => roundTo(energy + dos.zero, 3)),
    total: rounded(dos.total[0]),
    ...(dos.total.length === 2 ? { totalDown: rounded(dos.total[1]) } : {}),
    projected,
    fermiEnergy: electronic.fermi,
  };
}

/** What the seed keeps of one result; `undefined` when it holds neither bands nor a density of states. */
export function electronicResult(result: PipelineResult): Record<string, unknown> | undefined {
  if (result.bands === null && result.dos === null) return undefined;
  const { method, electronic, structure } = result;
  return {
    bands: bandStructure(result),
    dos: densityOfStates(result),
    efermi: electronic.fermi,
    gap: electronic.is_metal ? 0 : electronic.gap,
    gapKind: electronic.is_metal ? '' : electronic.is_direct === true ? 'direct' : 'indirect',
    magnetizationPerAtom: roundTo(result.magnetization / structure.species.length, 4),
    provenance: {
      source: 'computed for Unitcell',
      licence: 'CC0-1.0',
      code: `${method.code} ${method.version}`,
      functional: method.functional,
      dataSets: method.paw,
      preset: method.preset,
      cutoff: { value: method.ecut_ev, unit: 'eV' },
      kMesh: method.kmesh_static,
      smearing: { kind: method.smearing, value: method.smearing_ev, unit: 'eV' },
      cell: 'relaxed with the same preset; k-points refer to the primitive cell of reciprocalLattice (1/Å, with 2π)',
    },
  };
}
