/** Converts a structure resource of an OPTIMADE provider (specification 1.2, entry type `structures`) to a draft. */
import { type PymatgenStructure, type Site, type Structure, toPymatgenDict } from '@unitcell/crystal';
import { type MaterialDraft, NO_PROPERTIES, NOTHING_GIVEN } from '@unitcell/material';
import { inverse3, type Mat3, rowTimesMatrix3, type Vec3 } from '@unitcell/numerics';
import { z } from 'zod';
import { firstIssue, RefusedUnit } from './refused-unit.ts';

const vector = z.tuple([z.number(), z.number(), z.number()]);

const resource = z.object({
  id: z.string(),
  attributes: z
    .object({
      lattice_vectors: z.tuple([vector, vector, vector]),
      cartesian_site_positions: z.array(vector).min(1),
      species_at_sites: z.array(z.string()).min(1),
      species: z.array(
        z.object({
          name: z.string(),
          chemical_symbols: z.array(z.string()).min(1),
          concentration: z.array(z.number()).min(1),
        }),
      ),
    })
    .loose(),
});

/** Entry types other than structures that a dump may contain. */
const OTHER_ENTRIES = new Set(['info', 'links', 'references', 'calculations', 'files', 'trajectories']);

/** Symbol of an empty site in a species. */
const VACANCY = 'vacancy';
/** Symbol of an atom that is no chemical element. Refused, because without it the compound would differ. */
const NO_ELEMENT = 'X';

export const isOptimade = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && 'attributes' in json && 'id' in json;

/** Recognises lines of a dump that contain no structure, such as metadata of the provider and references. */
export const isHeader = (json: unknown): boolean =>
  typeof json === 'object' &&
  json !== null &&
  ('x-optimade' in json || ('type' in json && 'id' in json && OTHER_ENTRIES.has(String(json.type))));

/** Refuses non-periodic directions: the cell of a slab, a wire or a molecule in vacuum is not a crystal cell. */
function periodicity({
  dimension_types,
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!Array.isArray(dimension_types) || dimension_types.every((type) => type === 1)) return {};
  const count = dimension_types.filter((type) => type === 1).length;
  const kind = ['a molecule in vacuum', 'a wire in vacuum', 'a slab in vacuum'][count] ?? '';
  return {
    dimensionality: `${kind}: periodic in ${count} of 3 directions, the rest of the cell is empty space`,
  };
}

function structureOf({ attributes }: z.infer<typeof resource>): Structure {
  const latticeVectors: Mat3 = attributes.lattice_vectors;
  const toFractional = inverse3(latticeVectors);
  const kinds = new Map(attributes.species.map((kind) => [kind.name, kind]));
  const sites = attributes.cartesian_site_positions.map((position: Vec3, index): Site => {
    const name = attributes.species_at_sites[index];
    const kind = name === undefined ? undefined : kinds.get(name);
    if (!kind)
      throw new RefusedUnit(`species_at_sites.${index}: no species is named ${JSON.stringify(name)}`);
    if (kind.chemical_symbols.includes(NO_ELEMENT))
      throw new RefusedUnit(`species ${JSON.stringify(name)}: ${NO_ELEMENT} is no chemical element`);
    const species = kind.chemical_symbols
      .map((element, i) => ({ element, occupancy: kind.concentration[i] ?? 0 }))
      .filter(({ element }) => element !== VACANCY);
    return { species, fractionalCoords: rowTimesMatrix3(position, toFractional) };
  });
  return { latticeVectors, sites: sites.filter((site) => site.species.length > 0) };
}

/** Converts the `attributes` of a resource to a structure of the import format. @throws RefusedUnit */
export function structureOfOptimade(attributes: unknown): PymatgenStructure {
  const parsed = resource.safeParse({ id: '', attributes });
  if (!parsed.success) throw new RefusedUnit(firstIssue(parsed.error));
  return toPymatgenDict(structureOf(parsed.data));
}

/** @throws RefusedUnit when the object is not a structure resource */
export function draftFromOptimade(json: unknown): MaterialDraft {
  const parsed = resource.safeParse(json);
  if (!parsed.success) throw new RefusedUnit(firstIssue(parsed.error));
  return {
    structId: null,
    structure: structureOf(parsed.data),
    energies: [],
    given: { ...NOTHING_GIVEN, sourceName: 'OPTIMADE', sourceId: parsed.data.id },
    provenance: periodicity(parsed.data.attributes),
    properties: NO_PROPERTIES,
  };
}
