/** Structures and larger results of a material: one shape each, imported, stored, exported and answered. */
import type {
  BandStructure,
  DensityOfStates,
  Matrix3,
  StructureJson,
  Tensors,
  Topology,
} from '@unitcell/material';
import { z } from 'zod';

/** A schema that takes in what it gives out. */
type Shape<T> = z.ZodType<T, T>;

const finite = z.number();
const text = z.string().max(2000);
const vector = z.tuple([finite, finite, finite]);
/** Rows of a 3×3 matrix. */
export const matrix3: Shape<Matrix3> = z.tuple([vector, vector, vector]);
const row6 = z.array(finite).length(6);

/** Sites one material may have. */
export const MAX_IMPORT_SITES = 1000;

/** A crystal as JSON: `abc` fractional, `matrix` rows in Å. */
export const structureJson: Shape<StructureJson> = z.object({
  lattice: z.object({ matrix: matrix3 }),
  sites: z
    .array(
      z.object({
        species: z
          .array(z.object({ element: z.string().max(8), occu: finite }))
          .min(1)
          .max(20),
        abc: vector,
        label: z.string().max(100).exactOptional(),
      }),
    )
    .min(1)
    .max(MAX_IMPORT_SITES),
});

const channel = z.array(z.array(finite).max(2000)).max(20_000);

/** The numbers behind a band diagram. Energies in eV, `kDistance` in 1/Å. */
export const bandStructureJson: Shape<BandStructure> = z.object({
  functional: text,
  kPoints: z.array(vector).max(20_000),
  labels: z.array(z.object({ index: z.int().nonnegative(), label: z.string().max(40) })).max(200),
  kDistance: z.array(finite).max(20_000),
  /** One list of band energies per k-point. */
  spinUp: channel,
  spinDown: channel.exactOptional(),
  fermiEnergy: finite,
  reciprocalLattice: matrix3.exactOptional(),
});

const curve = z.array(finite).max(50_000);

/** Energies in eV, densities in states/eV per cell. */
export const densityOfStatesJson: Shape<DensityOfStates> = z.object({
  functional: text,
  energies: curve,
  total: curve,
  totalDown: curve.exactOptional(),
  projected: z.record(z.string().max(40), curve).exactOptional(),
  fermiEnergy: finite,
});

/** 6×6 GPa, Voigt order xx yy zz yz xz xy. */
export const elasticTensor: Shape<NonNullable<Tensors['elastic']>> = z.array(row6).length(6);

/** 3×6 C/m², columns in Voigt order. */
export const piezoelectricTensor: Shape<NonNullable<Tensors['piezoelectric']>> = z.array(row6).length(3);

/** 3×3, relative to vacuum. */
export const dielectricTensors: Shape<NonNullable<Tensors['dielectric']>> = z.object({
  electronic: matrix3,
  total: matrix3.exactOptional(),
});

export const topologyTable: Shape<Topology> = z.object({
  labels: z.array(text).max(50),
  rows: z.array(z.record(z.string().max(200), z.unknown())).max(2000),
});
