/**
 * Converts documents of another format to lines of the import format, by a map from their fields and units to
 * ours (docs/operating/importing.md). Operators write maps in YAML; the presets are maps too.
 */
import {
  atomCount,
  compositionOf,
  formulaUnits,
  fromPymatgenDict,
  latticeVectorsFromParameters,
  type PymatgenStructure,
} from '@unitcell/crystal';
import { fields, GIVEN_NUMBERS, linesOf } from '@unitcell/material';
import { inverse3, type Mat3, rowTimesMatrix3, scale3, type Vec3 } from '@unitcell/numerics';
import { parse } from 'yaml';
import { z } from 'zod';
import { structureOfOptimade } from '../draft/draft-from-optimade.ts';
import { RefusedUnit } from '../draft/refused-unit.ts';
import { type ImportMap, importMap, type STRUCTURE_FORMS } from './import-map-schema.ts';

/** Converts structures in the formats of other databases to the format of import lines. */
type StructureForm = (typeof STRUCTURE_FORMS)[number];

const vector = z.tuple([z.number(), z.number(), z.number()]);

function readAs<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const answer = schema.safeParse(value);
  if (answer.success) return answer.data;
  const [issue] = answer.error.issues;
  throw new RefusedUnit(`structure: ${issue?.path.join('.') || 'the value'}: ${issue?.message}`);
}

const pymatgenOf = (matrix: Mat3, atoms: readonly { element: string; abc: Vec3 }[]): PymatgenStructure => ({
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
  const { lattice_mat: matrix, coords, elements, cartesian } = readAs(jarvisAtoms, value);
  const toFractional = inverse3(matrix);
  return pymatgenOf(
    matrix,
    coords.map((xyz, site) => ({
      element: (elements[site] ?? '').trim(),
      abc: cartesian ? rowTimesMatrix3(xyz, toFractional) : xyz,
    })),
  );
}

/** AFLOW lists are JSON lists or texts: commas separate entries, semicolons separate rows. */
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
  /** The relaxed cell: a, b, c in Å; α, β, γ in degrees. */
  geometry: aflowList(z.coerce.number()).refine((list) => list.length === 6, 'expected six numbers'),
  positions_fractional: aflowRows,
  species: aflowList(z.string()),
  /** Number of atoms per species; positions follow this order. */
  composition: aflowList(z.coerce.number().int().nonnegative()),
});

function fromAflow(value: unknown): PymatgenStructure {
  const { geometry, positions_fractional: positions, species, composition } = readAs(aflowEntry, value);
  const atoms = composition.reduce((sum, count) => sum + count, 0);
  if (atoms !== positions.length || species.length !== composition.length)
    throw new RefusedUnit(
      `structure: ${positions.length} positions of ${atoms} atoms (positions_fractional, composition)`,
    );
  const elements = species.flatMap((symbol, kind) =>
    Array<string>(composition[kind] ?? 0).fill(symbol.trim()),
  );
  const [a, b, c, alpha, beta, gamma] = geometry as [number, number, number, number, number, number];
  return pymatgenOf(
    latticeVectorsFromParameters({ a, b, c, alpha, beta, gamma }),
    positions.map((abc, site) => ({ element: elements[site]!, abc })),
  );
}

const METRE = 1e10;
const inAngstrom = (metres: Vec3): Vec3 => scale3(metres, METRE);
/** `results.properties.structures.structure_original`: the OPTIMADE format with lengths in metres. */
const nomadStructure = z
  .object({
    lattice_vectors: z.tuple([vector, vector, vector]),
    cartesian_site_positions: z.array(vector).min(1),
    species_at_sites: z.array(z.string()).min(1),
    species: z.array(z.unknown()).optional(),
  })
  .loose();

function fromNomad(value: unknown): PymatgenStructure {
  const given = readAs(nomadStructure, value);
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

/** @throws RefusedUnit, CrystalError. @returns the `structure` of a line, not yet parsed */
const structureInForm = (form: StructureForm, value: unknown): unknown => READERS[form](value);

// ── Conversion of published numbers to the units of the import format ──

/** In eV. CODATA 2018 (doi:10.1103/RevModPhys.93.025010); kJ/mol and kcal/mol through the Avogadro constant. */
const ENERGY: Readonly<Record<string, number>> = {
  eV: 1,
  meV: 1e-3,
  Ry: 13.605693122994,
  Ha: 27.211386245988,
  J: 1 / 1.602176634e-19,
  'kJ/mol': 1 / 96.48533212,
  'kcal/mol': 4.184 / 96.48533212,
};
/** In GPa. */
const PRESSURE: Readonly<Record<string, number>> = {
  GPa: 1,
  kbar: 0.1,
  Mbar: 100,
  'dyn/cm2': 1e-10,
  Pa: 1e-9,
};
/** In μB. */
const MOMENT: Readonly<Record<string, number>> = { μB: 1, muB: 1 };

type Per = 'cell' | 'atom' | 'formula';

const PER: Readonly<Record<string, Per>> = { atom: 'atom', fu: 'formula', formula: 'formula', cell: 'cell' };

/** Known units by the unit of the field. A field with another unit accepts only numbers in that unit. */
const CONVERTED: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  eV: ENERGY,
  GPa: PRESSURE,
  μB: MOMENT,
};

interface Unit {
  readonly factor: number;
  /** The amount the number refers to; null: the number does not scale with the cell. */
  readonly per: Per | null;
}

/** @throws RefusedUnit that lists the known units. @example unitOf('Ry/fu', 'eV') */
function unitOf(text: string, wanted: string): Unit {
  const known = CONVERTED[wanted] ?? { [wanted]: 1 };
  const at = text.lastIndexOf('/');
  const per = at === -1 ? undefined : PER[text.slice(at + 1)];
  const factor = known[per === undefined ? text : text.slice(0, at)];
  if (factor === undefined)
    throw new RefusedUnit(
      `unit ${JSON.stringify(text)}: expected ${Object.keys(known).join(', ')}, where needed with /atom, /fu or /cell`,
    );
  return { factor, per: per ?? null };
}

/** Parses an operator's map in YAML. @throws RefusedUnit with the errors in it */
export function readImportMap(text: string): ImportMap {
  let document: unknown;
  try {
    document = parse(text);
  } catch (error) {
    throw new RefusedUnit((error as Error).message);
  }
  const parsed = importMap.safeParse(document);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new RefusedUnit(`${issue?.path.join('.') || 'the map'}: ${issue?.message}`);
}

export function valueAt(document: unknown, at: string): unknown {
  let value = document;
  for (const part of at.split('.')) {
    const key = part === '-1' && Array.isArray(value) ? String(value.length - 1) : part;
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}

export const isMeantFor = ({ recognise }: ImportMap, document: unknown): boolean =>
  recognise.length > 0 && recognise.every((at) => valueAt(document, at) !== undefined);

/** Reads a number, which some documents write as text. `na`, null and the empty text mean no value. */
function numberAt(document: unknown, at: string): number | undefined {
  const value = valueAt(document, at);
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    throw new RefusedUnit(`${at}: ${value} is not a number`);
  }
  if (value === undefined || value === null || value === 'na') return undefined;
  if (typeof value === 'string' && value.trim() === '') return undefined;
  const number = typeof value === 'string' ? Number(value) : Number.NaN;
  if (!Number.isFinite(number))
    throw new RefusedUnit(`${at}: expected a number, found ${JSON.stringify(value).slice(0, 40)}`);
  return number;
}

function textAt(document: unknown, at: string): string {
  const value = valueAt(document, at);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function structureOf(document: unknown, { from, form }: ImportMap['structure']): unknown {
  const value = from === undefined ? document : valueAt(document, from);
  if (value === undefined) throw new RefusedUnit(`structure: the document has no ${from}`);
  return structureInForm(form, value);
}

/** Position of the Voigt components in VASP's rows, which order the shears xy, yz, zx. */
const VOIGT_IN_VASP = [0, 1, 2, 4, 5, 3];

type Cell = Readonly<Record<Per, number>>;

/** Atoms and formula units of the original cell. @throws CrystalError */
function cellOf(structure: unknown): Cell {
  const composition = compositionOf(fromPymatgenDict(structure));
  return { cell: 1, atom: atomCount(composition), formula: formulaUnits(composition) };
}

/** Omits fields that the document does not have. */
const known = (read: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined && value !== null));

/** @throws RefusedUnit, CrystalError. @returns a line of the import format */
export function lineFromMap(document: unknown, map: ImportMap): Readonly<Record<string, unknown>> {
  const structure = structureOf(document, map.structure);
  const cell = cellOf(structure);
  /** @param per the amount that the import line's field refers to; null: the value does not scale with the cell */
  const read = (
    field: { readonly from: string; readonly unit: string } | undefined,
    wanted: string,
    per: Per | null,
  ) => {
    const value = field && numberAt(document, field.from);
    if (field === undefined || value === undefined) return undefined;
    const unit = unitOf(field.unit, wanted);
    if (per === null) return value * unit.factor;
    return (value * unit.factor * cell[unit.per ?? 'cell']) / cell[per];
  };
  const plainAt = (field: { readonly from: string } | undefined) => field && valueAt(document, field.from);
  const scaled = (field: ImportMap['elastic_tensor']) => {
    const tensor = plainAt(field);
    if (field === undefined || !Array.isArray(tensor)) return undefined;
    const { factor } = unitOf(field.unit, 'GPa');
    const ordered = (row: readonly unknown[]) =>
      field.order === 'vasp' && row.length === VOIGT_IN_VASP.length
        ? VOIGT_IN_VASP.map((at) => row[at])
        : row;
    return ordered(tensor).map((row) =>
      Array.isArray(row) ? ordered(row).map((value) => Number(value ?? Number.NaN) * factor) : row,
    );
  };
  const { source } = map;
  const id = source.id === undefined ? '' : textAt(document, source.id);
  const electronic = plainAt(map.dielectric_electronic);
  return {
    structure,
    source: {
      name: source.name,
      id,
      licence: source.licence,
      ...known({ url: source.url?.replaceAll('{id}', id) }),
    },
    provenance: known(
      Object.fromEntries(Object.entries(map.provenance).map(([name, at]) => [name, plainAt(at)])),
    ),
    ...known({
      functional: map.scale,
      energy: read(map.energy, 'eV', 'cell'),
      formation_energy_per_atom: read(map.formation_energy, 'eV', 'atom'),
      ...Object.fromEntries(
        GIVEN_NUMBERS.map((name) => {
          const { line, unit } = fields[name];
          return [line, read(map[line], unit, 'per' in fields[name] ? 'cell' : null)];
        }),
      ),
      ...Object.fromEntries(linesOf('flag', 'choice').map((line) => [line, plainAt(map[line])])),
      names: map.names && { en: plainAt(map.names.en) ?? null, zh: plainAt(map.names.zh) ?? null },
      elastic_tensor: scaled(map.elastic_tensor),
      tensor_frame: map.tensor_frame,
      tensors_in_other_axes: map.tensors_in_other_axes,
      dielectric: electronic && { electronic, ...known({ total: plainAt(map.dielectric_total) }) },
      piezoelectric_total: plainAt(map.piezoelectric_total),
    }),
  };
}
