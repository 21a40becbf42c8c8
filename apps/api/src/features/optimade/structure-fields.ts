/**
 * The properties of an OPTIMADE structure: description, SQL expression for queries, and value from a stored
 * material. Definitions: https://schemas.optimade.org/defs/v1.2/entrytypes/optimade/structures
 */
import { type CompactCell, fromCompactCell, type Structure } from '@unitcell/crystal';
import { type FilterField, materialFilterFields } from '@unitcell/filter';
import { FIELD_NAMES, fields } from '@unitcell/material';
import { rowTimesMatrix3 } from '@unitcell/numerics';
import { type RawBuilder, sql } from 'kysely';
import { columnsOf } from '../../infra/sql.ts';

/** A row of `material` with its primitive cell, and the calculated columns below. */
export type StructureRow = Readonly<Record<string, unknown>> & { readonly primitive: CompactCell };

interface OptimadeField {
  readonly description: string;
  readonly unit?: string;
  /** Type as named by the specification. */
  readonly type: 'string' | 'integer' | 'float' | 'boolean' | 'list' | 'timestamp';
  /** Expression for filters and sorting; without it the property cannot be queried (501). */
  readonly sql?: RawBuilder<unknown>;
  readonly filter?: FilterField;
  /** New in version 1.3: returned only if requested by name, since clients for 1.2 reject unknown names. */
  readonly isNewer?: true;
  /** The value in a response; by default the column of the same name. */
  readonly of?: (row: StructureRow, cell: () => Structure) => unknown;
}

const material = columnsOf('material');

const text: FilterField = { type: 'text' };
const number: FilterField = { type: 'number' };
const texts: FilterField = { type: 'text', isList: true };
const numbers: FilterField = { type: 'number', isList: true };

/** A property of the specification that is always null; filters treat it as unknown. */
const notProvided: OptimadeField = {
  description: 'Not provided',
  type: 'string',
  sql: sql`NULL::text`,
  filter: { type: 'unknown' },
};

const STANDARD: Readonly<Record<string, OptimadeField>> = {
  immutable_id: {
    description: 'Fingerprint of what was imported: changes when the cell or an energy does',
    type: 'string',
    sql: sql`encode(${material('content_hash')}, 'hex')`,
    filter: text,
  },
  last_modified: {
    description: 'When the entry was changed last',
    type: 'timestamp',
    sql: sql`to_char(${material('updated_at')} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
    filter: text,
  },
  elements: {
    description: 'Symbols of the elements, by the alphabet',
    type: 'list',
    sql: material('elements'),
    filter: texts,
  },
  nelements: {
    description: 'Number of elements',
    type: 'integer',
    sql: material('nelements'),
    filter: number,
  },
  elements_ratios: {
    description: 'Share of each of `elements` among the atoms',
    type: 'list',
    sql: sql`optimade_ratios(${material('formula_reduced')})`,
    filter: numbers,
  },
  chemical_formula_descriptive: {
    description: 'The formula as the site shows it',
    type: 'string',
    sql: material('formula'),
    filter: text,
  },
  chemical_formula_reduced: {
    description:
      'Elements by the alphabet, smallest whole numbers; null for a disordered crystal without such',
    type: 'string',
    sql: sql`optimade_reduced(${material('formula_reduced')})`,
    filter: text,
  },
  chemical_formula_anonymous: {
    description: 'The reduced formula with letters for elements, the largest amount first',
    type: 'string',
    sql: sql`optimade_anonymous(${material('formula_reduced')})`,
    filter: text,
  },
  chemical_formula_hill: notProvided,
  dimension_types: {
    description: 'Periodic along all three axes',
    type: 'list',
    sql: sql`ARRAY[1, 1, 1]::float8[]`,
    filter: numbers,
    of: () => [1, 1, 1],
  },
  nperiodic_dimensions: {
    description: 'Number of periodic axes',
    type: 'integer',
    sql: sql`3::float8`,
    filter: number,
    of: () => 3,
  },
  lattice_vectors: {
    description: 'Rows a, b, c of the primitive cell',
    unit: 'Å',
    type: 'list',
    of: (_, cell) => cell().latticeVectors,
  },
  cartesian_site_positions: {
    description: 'Positions of the sites of the primitive cell',
    unit: 'Å',
    type: 'list',
    of: (_, cell) => {
      const { latticeVectors, sites } = cell();
      return sites.map(({ fractionalCoords }) => rowTimesMatrix3(fractionalCoords, latticeVectors));
    },
  },
  fractional_site_positions: {
    description: 'Positions of the sites in units of the lattice vectors',
    type: 'list',
    isNewer: true,
    of: (_, cell) => cell().sites.map(({ fractionalCoords }) => fractionalCoords),
  },
  site_coordinate_span: {
    description: 'The sites are those of one primitive cell',
    type: 'string',
    isNewer: true,
    sql: sql`'unit_cell'::text`,
    filter: text,
    of: () => 'unit_cell',
  },
  site_coordinate_span_description: { ...notProvided, isNewer: true },
  optimization_type: { ...notProvided, isNewer: true },
  wyckoff_positions: { ...notProvided, type: 'list', isNewer: true },
  nsites: {
    description: 'Sites of the primitive cell',
    type: 'integer',
    sql: material('nsites'),
    filter: number,
  },
  species: {
    description: 'What the names in `species_at_sites` stand for',
    type: 'list',
    of: (_, cell) => speciesOf(cell()),
  },
  species_at_sites: {
    description: 'Name of the species of each site',
    type: 'list',
    of: (_, cell) => cell().sites.map(speciesName),
  },
  assemblies: { ...notProvided, description: 'Not provided: no sites are occupied together', type: 'list' },
  structure_features: {
    description: '`disorder` where a site is shared or partly empty',
    type: 'list',
    sql: sql`(CASE WHEN jsonb_path_exists(${columnsOf('material_structure')('primitive')}, 'strict $.species[*] ? (@.type() == "array")')
      THEN ARRAY['disorder'] ELSE ARRAY[]::text[] END)`,
    filter: texts,
  },
  space_group_it_number: {
    description: 'Number of the space group in the International Tables',
    type: 'integer',
    sql: material('space_group_number'),
    filter: number,
  },
  space_group_symbol_hermann_mauguin: notProvided,
  space_group_symbol_hermann_mauguin_extended: notProvided,
  space_group_symmetry_operations_xyz: { ...notProvided, type: 'list' },
  space_group_symbol_hall: {
    description: 'Hall symbol',
    type: 'string',
    sql: material('hall'),
    filter: text,
  },
};

const TYPES = {
  number: 'float',
  id: 'integer',
  count: 'integer',
  flag: 'boolean',
  text: 'string',
  url: 'string',
  choice: 'string',
  texts: 'list',
} as const;

/** Fields that are not published with a prefix, because a standard property contains them. */
const SAID = new Set(['struct_id', 'elements', 'nelements', 'nsites', 'space_group_number', 'hall']);

/** The scalars of the material's field table: `_unitcell_band_gap`. */
function providerFields(): [string, OptimadeField][] {
  const filters = materialFilterFields();
  return FIELD_NAMES.map((name) => fields[name])
    .filter(({ column }) => !SAID.has(column))
    .map((field): [string, OptimadeField] => {
      const { type, isList } = filters.get(field.column) ?? text;
      return [
        `_unitcell_${field.column}`,
        {
          description: field.meaning.en,
          ...(field.kind === 'number' ? { unit: field.unit } : {}),
          type: TYPES[field.kind],
          sql: material(field.column),
          filter: isList ? { type, isList } : { type },
        },
      ];
    });
}

export const STRUCTURE_FIELDS: ReadonlyMap<string, OptimadeField> = new Map([
  ...Object.entries(STANDARD),
  ...providerFields(),
]);

/** Default fields of an entry. */
export const USUAL_FIELDS: readonly string[] = [...STRUCTURE_FIELDS]
  .filter(([, { isNewer }]) => !isNewer)
  .map(([name]) => name);

/** The value of one property of a row. */
export const cellOf = ({ primitive }: StructureRow) => {
  let cell: Structure | undefined;
  return () => (cell ??= fromCompactCell(primitive));
};

// Sites in OPTIMADE's form: each names a species, which lists the atoms and their concentrations.

/** A mixed or partly occupied site is a separate species. */
const speciesName = ({ species }: Structure['sites'][number]): string =>
  species
    .map(({ element, occupancy }) =>
      species.length === 1 && occupancy === 1 ? element : `${element}${occupancy}`,
    )
    .join('');

function speciesOf({ sites }: Structure) {
  const named = new Map(sites.map((site) => [speciesName(site), site.species]));
  return [...named].map(([name, kinds]) => {
    const filled = kinds.reduce((sum, { occupancy }) => sum + occupancy, 0);
    const vacancy = filled < 1 - 1e-6 ? [{ element: 'vacancy', occupancy: 1 - filled }] : [];
    const all = [...kinds, ...vacancy];
    return {
      name,
      chemical_symbols: all.map(({ element }) => element),
      concentration: all.map(({ occupancy }) => occupancy),
    };
  });
}
