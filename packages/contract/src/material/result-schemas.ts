/** Structures and larger results of a material: one shape each for import, storage, export and answers. */
import {
  type BandStructure,
  type DensityOfStates,
  type FieldName,
  fieldOf,
  type Form,
  type Matrix3,
  type Phonons,
  type PlacedName,
  placedNames,
  type Scalars,
  type StructureJson,
  type Tensors,
  type Topology,
} from '@unitcell/material';
import { z } from 'zod';
import { unit } from '../common.ts';

// Schemas of a material's scalar properties, derived from the table of fields.

/** Limit of characters in a text or an address. */
const MAX_TEXT = 2000;

function valueSchema(name: FieldName): z.ZodType {
  const field = fieldOf(name);
  switch (field.kind) {
    case 'number':
      return field.min === undefined ? z.number() : z.number().min(field.min);
    case 'id':
    case 'count':
      return z.int();
    case 'flag':
      return z.boolean();
    case 'texts':
      return z.array(z.string());
    case 'choice':
      return z.enum(Object.keys(field.options));
    case 'url':
      return z.url().max(MAX_TEXT);
    default:
      return z.string().max(MAX_TEXT);
  }
}

/** Adds the description for the OpenAPI document. */
function described(name: FieldName, schema: z.ZodType): z.ZodType {
  const field = fieldOf(name);
  const symbol = field.kind === 'number' && field.unit !== '' ? field.unit : null;
  return schema.meta(unit(symbol, field.meaning.en));
}

/** The schema of a field in an answer. */
export const answered = (name: FieldName): z.ZodType =>
  described(name, fieldOf(name).isNullable ? valueSchema(name).nullable() : valueSchema(name));

/** A missing value in a line becomes null, or the default of its field. */
function imported(name: FieldName): z.ZodType {
  const { isNullable, lineDefault } = fieldOf(name);
  if (isNullable) return valueSchema(name).nullable().default(null);
  return lineDefault === undefined ? valueSchema(name) : valueSchema(name).default(lineDefault);
}

/** Schemas of the fields that a form (import line or detail answer) contains, by field name. */
export function fieldSchemas<F extends Form>(
  form: F,
): {
  [Name in PlacedName<F>]: z.ZodType<Scalars[Name], Scalars[Name]>;
};
export function fieldSchemas(form: Form): object {
  const schemaOf = form === 'line' ? imported : answered;
  return Object.fromEntries(placedNames(form).map((name) => [name, schemaOf(name)]));
}

/** A schema whose input and output types are equal. */
type Shape<T> = z.ZodType<T, T>;

const finite = z.number();
const text = z.string().max(2000);
const vector = z.tuple([finite, finite, finite]);
/** Three rows of a 3×3 matrix. */
export const matrix3: Shape<Matrix3> = z.tuple([vector, vector, vector]);
const row6 = z.array(finite).length(6);

export const cellParameters = z
  .object({
    a: z.number().meta(unit('Å', 'Length of the first axis.')),
    b: z.number().meta(unit('Å', 'Length of the second axis.')),
    c: z.number().meta(unit('Å', 'Length of the third axis.')),
    alpha: z.number().meta(unit('°', 'Angle between the second and the third axis.')),
    beta: z.number().meta(unit('°', 'Angle between the third and the first axis.')),
    gamma: z.number().meta(unit('°', 'Angle between the first and the second axis.')),
    volume: z.number().meta(unit('Å³', 'Volume of the cell.')),
  })
  .describe('The cell.');

/** Limit of sites per material. */
const MAX_IMPORT_SITES = 1000;

/** A crystal as JSON: `abc` fractional, `matrix` rows in Å. */
export const structureJson: Shape<StructureJson> = z.object({
  lattice: z
    .object({ matrix: matrix3.meta(unit('Å', 'Rows a, b, c of the cell in Cartesian coordinates.')) })
    .describe('The cell.'),
  sites: z
    .array(
      z.object({
        species: z
          .array(
            z.object({
              element: z.string().max(8).describe('Symbol of the element.'),
              occu: finite.describe('Occupancy of the element, 0 to 1.'),
            }),
          )
          .min(1)
          .max(20)
          .describe('The species of the site; more than one entry if it is shared.'),
        abc: vector.describe('Fractional coordinates.'),
        label: z.string().max(100).exactOptional().describe('Name of the site in its source file.'),
      }),
    )
    .min(1)
    .max(MAX_IMPORT_SITES)
    .describe('The atoms of the cell.'),
});

const channel = z.array(z.array(finite).max(2000)).max(20_000);

/** The data of a band diagram. Energies in eV, `kDistance` in 1/Å. */
export const bandStructureJson: Shape<BandStructure> = z.object({
  functional: text.describe('Functional of the calculation: PBE, HSE …'),
  kPoints: z
    .array(vector)
    .max(20_000)
    .describe('Fractional coordinates of the k-points in the reciprocal lattice.'),
  labels: z
    .array(
      z.object({
        index: z.int().nonnegative().describe('Index of the k-point, from 0.'),
        label: z.string().max(40).describe('Its name.'),
      }),
    )
    .max(200)
    .describe('Names of k-points by their index.'),
  kDistance: z.array(finite).max(20_000).meta(unit('1/Å', 'Distance of each k-point along the path.')),
  spinUp: channel.meta(unit('eV', 'One list of band energies per k-point.')),
  spinDown: channel
    .exactOptional()
    .meta(unit('eV', 'The same for the other spin; absent without spin polarisation.')),
  fermiEnergy: finite.meta(unit('eV', 'Fermi energy.')),
  reciprocalLattice: matrix3
    .exactOptional()
    .meta(unit('1/Å', 'Rows b1, b2, b3, with 2π, in the frame of the cell of the bands.')),
});

const curve = z.array(finite).max(50_000);

/** Energies in eV, densities in states/eV per cell. */
export const densityOfStatesJson: Shape<DensityOfStates> = z.object({
  functional: text.describe('Functional of the calculation: PBE, HSE …'),
  energies: curve.meta(unit('eV', 'Energies.')),
  total: curve.meta(unit('states/eV', 'Density of states of the cell.')),
  totalDown: curve.exactOptional().meta(unit('states/eV', 'The same for the other spin.')),
  projected: z
    .record(z.string().max(40), curve)
    .exactOptional()
    .meta(unit('states/eV', 'Parts of the total by element or orbital: `Ti d`.')),
  fermiEnergy: finite.meta(unit('eV', 'Fermi energy.')),
});

const MAX_Q_POINTS = 5000;
/** Number of force constants for a cell of 100 atoms in a supercell of 1,200 atoms. */
const MAX_FORCE_CONSTANTS = 1_080_000;

export const forceConstantsJson: Shape<NonNullable<Phonons['force_constants']>> = z.object({
  supercell: matrix3.describe('Rows: vectors of the supercell in the lattice vectors of the cell.'),
  masses: z
    .array(z.number().positive())
    .max(MAX_IMPORT_SITES)
    .meta(unit('u', 'Masses of the atoms of the cell.')),
  values: z
    .array(finite)
    .max(MAX_FORCE_CONSTANTS)
    .meta(
      unit(
        'eV/Å²',
        'Nine per pair: atom of the cell, cell of the supercell (its third axis fastest), atom in it; xx, xy … zz.',
      ),
    ),
  charges: z
    .object({
      born: z
        .array(matrix3)
        .max(MAX_IMPORT_SITES)
        .meta(unit('e', 'Born charges; rows: direction of the field.')),
      dielectric: matrix3.describe('Electronic dielectric tensor.'),
      damping: z.number().positive().meta(unit('1/Å', 'Width of the Gaussian charges.')),
    })
    .exactOptional()
    .describe(
      'For the splitting of longitudinal and transverse modes; `values` then lack the dipole interaction.',
    ),
});

/** Phonons of a cell: calculated, imported or predicted. */
export const phononsOfCell = z
  .object({
    structure: structureJson.describe('The primitive cell whose reciprocal vectors `q` refers to.'),
    supercell: z
      .array(z.int())
      .exactOptional()
      .describe('Repeats of the primitive cell in the supercell of the displacements.'),
    bands: z
      .array(
        z.object({
          q: z.array(z.number()).length(3).describe('Wave vector in fractions of the reciprocal vectors.'),
          label: z.string().max(40).exactOptional().describe('Name of a point of high symmetry.'),
          frequencies: z
            .array(z.number())
            .max(3 * MAX_IMPORT_SITES)
            .meta(unit('THz', 'Frequencies; negative: imaginary.')),
        }),
      )
      .max(MAX_Q_POINTS)
      .describe('Phonon bands along the path through the Brillouin zone.'),
    has_imaginary_modes: z.boolean().describe('Whether a distortion lowers the energy.'),
    dos: z
      .object({
        frequencies: curve.meta(unit('THz', 'Frequencies.')),
        total: curve.describe('States per THz and primitive cell.'),
        by_atom: z
          .array(curve)
          .max(MAX_IMPORT_SITES)
          .exactOptional()
          .describe('The part of each atom of the primitive cell.'),
      })
      .exactOptional()
      .describe('Density of states.'),
    thermal: z
      .array(
        z.object({
          temperature: z.number().nonnegative().meta(unit('K', 'Temperature.')),
          free_energy: z.number().meta(unit('eV', 'Of the primitive cell, with zero-point energy.')),
          entropy: z.number().meta(unit('eV/K', 'Of the primitive cell.')),
          heat_capacity: z.number().meta(unit('eV/K', 'Of the primitive cell, at constant volume.')),
        }),
      )
      .max(2000)
      .exactOptional()
      .describe('Harmonic thermodynamics of the vibrations.'),
  })
  .describe('Phonons.');
export type PhononsJson = z.infer<typeof phononsOfCell>;

const MAX_MODE_POINTS = 100;

const modesJson: Shape<NonNullable<Phonons['modes']>[number]> = z.object({
  q: z.array(z.number()).length(3).describe('Wave vector in fractions of the reciprocal vectors.'),
  displacements: z
    .array(z.array(z.array(finite).length(6)).max(MAX_IMPORT_SITES))
    .max(3 * MAX_IMPORT_SITES)
    .describe(
      'Per mode and atom: real parts of x, y, z, then imaginary parts, times exp(2πi q·R) in the cell at R.',
    ),
});

/** Phonons of a material, for one functional. */
export const phononsJson: Shape<Phonons> = phononsOfCell.extend({
  functional: text.describe('Functional of the calculation: PBE, PBEsol …'),
  force_constants: forceConstantsJson.exactOptional().describe('Force constants of the cell.'),
  modes: z
    .array(modesJson)
    .max(MAX_MODE_POINTS)
    .exactOptional()
    .describe('Modes of named points, of a source that gives eigenvectors instead of force constants.'),
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
