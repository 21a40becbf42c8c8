/** Structures in the forms that documents of others have → the form lines of the import format have. */
import { latticeVectorsFromParameters, type PymatgenStructure } from '@unitcell/crystal';
import { inverse3, type Mat3, rowTimesMatrix3, scale3, type Vec3 } from '@unitcell/numerics';
import { z } from 'zod';
import { structureOfOptimade } from '../draft/draft-from-optimade.ts';
import { RefusedUnit } from '../draft/refused-unit.ts';
import type { STRUCTURE_FORMS } from './import-map-schema.ts';

export type StructureForm = (typeof STRUCTURE_FORMS)[number];

const vector = z.tuple([z.number(), z.number(), z.number()]);

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const answer = schema.safeParse(value);
  if (answer.success) return answer.data;
  const [issue] = answer.error.issues;
  throw new RefusedUnit(`structure: ${issue?.path.join('.') || 'the value'}: ${issue?.message}`);
}

const structureOf = (matrix: Mat3, atoms: readonly { element: string; abc: Vec3 }[]): PymatgenStructure => ({
  lattice: { matrix },
  sites: atoms.map(({ element, abc }) => ({ species: [{ element, occu: 1 }], abc })),
});

const jarvisAtoms = z.object({
  lattice_mat: z.tuple([vector, vector, vector]),
  coords: z.array(vector).min(1),
  elements: z.array(z.string()).min(1),
  cartesian: z.boolean().default(false),
});

function fromJarvis(value: unknown): PymatgenStructure {
  const { lattice_mat: matrix, coords, elements, cartesian } = parsed(jarvisAtoms, value);
  const toFractional = inverse3(matrix);
  return structureOf(
    matrix,
    coords.map((xyz, site) => ({
      element: (elements[site] ?? '').trim(),
      abc: cartesian ? rowTimesMatrix3(xyz, toFractional) : xyz,
    })),
  );
}

/** Lists of AFLOW are lists in JSON, or texts: entries by commas, rows by semicolons. */
const aflowList = <Entry extends z.ZodType>(entry: Entry) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value),
    z.array(entry).min(1),
  );
const aflowRows = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(';').map((row) => row.split(',').map(Number)) : value),
  z.array(vector).min(1),
);
const aflowEntry = z.object({
  /** a, b, c in Å, α, β, γ in degrees, of the relaxed cell. */
  geometry: aflowList(z.coerce.number()).refine((list) => list.length === 6, 'expected six numbers'),
  positions_fractional: aflowRows,
  species: aflowList(z.string()),
  /** How many atoms of each species; positions come in this order. */
  composition: aflowList(z.coerce.number().int().nonnegative()),
});

function fromAflow(value: unknown): PymatgenStructure {
  const { geometry, positions_fractional: positions, species, composition } = parsed(aflowEntry, value);
  const atoms = composition.reduce((sum, count) => sum + count, 0);
  if (atoms !== positions.length || species.length !== composition.length)
    throw new RefusedUnit(
      `structure: ${positions.length} positions of ${atoms} atoms (positions_fractional, composition)`,
    );
  const elements = species.flatMap((symbol, kind) =>
    Array<string>(composition[kind] ?? 0).fill(symbol.trim()),
  );
  const [a, b, c, alpha, beta, gamma] = geometry as [number, number, number, number, number, number];
  return structureOf(
    latticeVectorsFromParameters({ a, b, c, alpha, beta, gamma }),
    positions.map((abc, site) => ({ element: elements[site]!, abc })),
  );
}

const METRE = 1e10;
const inAngstrom = (metres: Vec3): Vec3 => scale3(metres, METRE);
/** `results.properties.structures.structure_original`: as in OPTIMADE, in metres. */
const nomadStructure = z
  .object({
    lattice_vectors: z.tuple([vector, vector, vector]),
    cartesian_site_positions: z.array(vector).min(1),
    species_at_sites: z.array(z.string()).min(1),
    species: z.array(z.unknown()).optional(),
  })
  .loose();

function fromNomad(value: unknown): PymatgenStructure {
  const given = parsed(nomadStructure, value);
  const [a, b, c] = given.lattice_vectors;
  return structureOfOptimade({
    ...given,
    lattice_vectors: [inAngstrom(a), inAngstrom(b), inAngstrom(c)],
    cartesian_site_positions: given.cartesian_site_positions.map(inAngstrom),
    species:
      given.species ??
      [...new Set(given.species_at_sites)].map((name) => ({
        name,
        chemical_symbols: [name],
        concentration: [1],
      })),
  });
}

const READERS: Readonly<Record<StructureForm, (value: unknown) => unknown>> = {
  pymatgen: (value) => value,
  optimade: structureOfOptimade,
  jarvis: fromJarvis,
  aflow: fromAflow,
  nomad: fromNomad,
};

/** @throws RefusedUnit, CrystalError. @returns what a line has as `structure`, yet to be read */
export const structureInForm = (form: StructureForm, value: unknown): unknown => READERS[form](value);
