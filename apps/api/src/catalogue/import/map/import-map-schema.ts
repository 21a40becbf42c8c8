/**
 * Schema of an import map, which states where a document of another format holds each of our fields, and in
 * which unit.
 */
import { importLine } from '@unitcell/contract/import-line';
import { linesOf } from '@unitcell/material';
import { z } from 'zod';

/** Forms in which documents hold a crystal structure. */
export const STRUCTURE_FORMS = ['pymatgen', 'optimade', 'jarvis', 'aflow', 'nomad'] as const;

/** A path of keys joined by dots; numbers are list indices, −1 is the last: `data.-1.energy`. */
const path = z.string().min(1).max(200);
const quantity = z.object({ from: path, unit: z.string().max(20).default('') }).strict();
const plain = z.object({ from: path }).strict();

/** An object with the same optional value schema at each of these keys. */
function each<Place extends string, SearchStatement extends z.ZodType>(
  places: readonly Place[],
  said: SearchStatement,
): Record<Place, SearchStatement>;
function each(places: readonly string[], said: z.ZodType): object {
  return Object.fromEntries(places.map((place) => [place, said]));
}

export const importMap = z
  .object({
    /** Keys by which a document for this map is recognised. */
    recognise: z.array(path).default([]),
    structure: z.object({ from: path.optional(), form: z.enum(STRUCTURE_FORMS) }).strict(),
    source: z
      .object({
        name: z.string().min(1),
        id: path.optional(),
        licence: z.string().default(''),
        /** `{id}` is replaced by the id. */
        url: z.string().optional(),
      })
      .strict(),
    /** Energy scale; default is --scale. */
    scale: z.string().min(1).max(100).optional(),
    energy: quantity.optional(),
    formation_energy: quantity.optional(),
    ...each(linesOf('number'), quantity.optional()),
    ...each(linesOf('flag', 'choice'), plain.optional()),
    names: z.object({ en: plain.optional(), zh: plain.optional() }).strict().optional(),
    /** 6×6. With `vasp` rows and columns are xx yy zz xy yz zx, as VASP prints them. */
    elastic_tensor: quantity.extend({ order: z.enum(['voigt', 'vasp']).default('voigt') }).optional(),
    tensor_frame: importLine.shape.tensor_frame,
    tensors_in_other_axes: importLine.shape.tensors_in_other_axes,
    dielectric_electronic: plain.optional(),
    dielectric_total: plain.optional(),
    piezoelectric_total: plain.optional(),
    /** Further values, shown to users under these names. */
    provenance: z.record(z.string().max(100), plain).default({}),
  })
  .strict();
export type ImportMap = z.infer<typeof importMap>;
