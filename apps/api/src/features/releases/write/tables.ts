/** The tables of a dump. Every row states its source and licence. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createGzip } from 'node:zlib';
import { ELECTRODE_FIELDS } from '@unitcell/contract/electrodes/rules';
import { type Field, FIELD_NAMES, fieldOf, predictedFieldsBy } from '@unitcell/material';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import type { Selectable } from 'kysely';
import { toImportLine } from '../../../catalogue/export/export-materials.ts';
import type { DB } from '../../../generated/tables/tables.ts';
import type { StoredEnergy, StoredMaterial } from '../../../catalogue/stored-material.ts';

// ── Column definitions shared by all file formats ──

type ColumnType = 'int' | 'number' | 'flag' | 'text' | 'texts' | 'json';

interface Column<Row> {
  readonly name: string;
  readonly type: ColumnType;
  readonly unit?: string;
  readonly about: string;
  /** Returns the value of a column; null if it is unknown. */
  readonly of: (row: Row) => unknown;
}

export interface Table<Row> {
  readonly name: string;
  /** Describes a row. */
  readonly about: string;
  readonly columns: readonly Column<Row>[];
}

/** A file to which rows are written one by one with little memory. */
export interface RowFile<Row> {
  add(row: Row): Promise<void>;
  /** Ends the file and returns its number of rows. */
  finish(): Promise<number>;
}

// ── JSON Lines, compressed by gzip while writing ──

export function jsonLinesFile<Row>(path: string, lineOf: (row: Row) => unknown): RowFile<Row> {
  const packed = createGzip();
  const file = packed.pipe(createWriteStream(path));
  const failed = new Promise<never>((_, stop) => {
    file.on('error', stop);
    packed.on('error', stop);
  });
  failed.catch(() => undefined); // handled by the callers that await it below
  let count = 0;
  return {
    async add(row) {
      count++;
      if (!packed.write(`${JSON.stringify(lineOf(row))}\n`))
        await Promise.race([once(packed, 'drain'), failed]);
    },
    async finish() {
      packed.end();
      await Promise.race([once(file, 'close'), failed]);
      return count;
    },
  };
}

// ── A table as Parquet, written in groups of rows ──

/** Number of rows in memory at once. */
const GROUP_ROWS = 5000;

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

const PLAIN: Readonly<Record<Exclude<ColumnType, 'texts'>, Omit<SchemaElement, 'name'>>> = {
  int: { type: 'INT32' },
  number: { type: 'DOUBLE' },
  flag: { type: 'BOOLEAN' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  // JSON is stored as UTF8, because programs without support for Parquet's JSON type would show bytes.
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
};

function schemaOf({ name, type }: Column<never>): SchemaElement[] {
  if (type !== 'texts') return [{ name, repetition_type: 'OPTIONAL', ...PLAIN[type] }];
  return [
    { name, repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'OPTIONAL', ...PLAIN.text },
  ];
}

const valueOf = (type: ColumnType, value: unknown): unknown =>
  value === null || value === undefined ? null : type === 'json' ? JSON.stringify(value) : value;

/** @param facts metadata of the file: release, licence, citation */
export function parquetFile<Row>(
  path: string,
  { columns }: Table<Row>,
  facts: Readonly<Record<string, string>>,
): RowFile<Row> {
  const described = Object.fromEntries(columns.map(({ name, unit, about }) => [name, { unit, about }]));
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(schemaOf)],
    kvMetadata: [
      ...Object.entries(facts).map(([key, value]) => ({ key, value })),
      { key: 'columns', value: JSON.stringify(described) },
    ],
    createdBy: 'unitcell',
  });
  let waiting: Row[] = [];
  let count = 0;
  async function flush(): Promise<void> {
    if (waiting.length === 0) return;
    const columnData = columns.map(({ name, type, of }) => ({
      name,
      data: waiting.map((row) => valueOf(type, of(row))),
    }));
    await writer.write({ columnData, rowGroupSize: GROUP_ROWS });
    waiting = [];
  }
  return {
    async add(row) {
      waiting.push(row);
      count++;
      if (waiting.length === GROUP_ROWS) await flush();
    },
    async finish() {
      await flush();
      await writer.finish();
      return count;
    },
  };
}

const TYPES: Readonly<Record<Field['kind'], ColumnType>> = {
  number: 'number',
  id: 'int',
  count: 'int',
  flag: 'flag',
  text: 'text',
  url: 'text',
  choice: 'text',
  texts: 'texts',
};

const fieldColumns: readonly Column<StoredMaterial>[] = FIELD_NAMES.map((name) => {
  const field = fieldOf(name);
  return {
    name: field.column,
    type: TYPES[field.kind],
    ...(field.kind === 'number' ? { unit: field.unit } : {}),
    about: field.meaning.en,
    of: (material) => material[name],
  };
});

export const MATERIALS: Table<StoredMaterial> = {
  name: 'materials',
  about: 'One material a row: its fields, its structure as given, its provenance, its source and licence',
  columns: [
    ...fieldColumns,
    {
      name: 'structure',
      type: 'json',
      about: 'The cell as given, as pymatgen’s Structure.from_dict reads it; lengths in Å',
      of: (material) => toImportLine(material).structure,
    },
    {
      name: 'provenance',
      type: 'json',
      about: 'What was run or measured',
      of: (material) => material.provenance,
    },
  ],
};

export interface HullRow {
  readonly material: StoredMaterial;
  readonly energy: StoredEnergy;
}

const ofMaterial = <Row>(material: (row: Row) => StoredMaterial): Column<Row>[] =>
  fieldColumns
    .filter(({ name }) => ['struct_id', 'formula', 'chemical_system'].includes(name))
    .map(({ of, ...column }) => ({ ...column, of: (row) => of(material(row)) }));

const source = <Row>(material: (row: Row) => StoredMaterial): Column<Row>[] =>
  fieldColumns
    .filter(({ name }) => ['source_name', 'source_id', 'source_licence'].includes(name))
    .map(({ of, ...column }) => ({ ...column, of: (row) => of(material(row)) }));

const eV = { type: 'number', unit: 'eV/atom' } as const;

export const HULLS: Table<HullRow> = {
  name: 'hulls',
  about: 'One material on one energy scale a row: energies, distance to the convex hull, decomposition',
  columns: [
    ...ofMaterial<HullRow>(({ material }) => material),
    {
      name: 'energy_scale',
      type: 'text',
      about: 'Energies of different scales cannot be compared',
      of: ({ energy }) => energy.functional,
    },
    { name: 'energy_per_atom', ...eV, about: 'Total energy', of: ({ energy }) => energy.energyPerAtom },
    {
      name: 'formation_energy_per_atom',
      ...eV,
      about: 'Against the elements',
      of: ({ energy }) => energy.formationEnergyPerAtom,
    },
    {
      name: 'energy_above_hull',
      ...eV,
      about: 'Above the convex hull; 0 is stable',
      of: ({ energy }) => energy.energyAboveHull,
    },
    {
      name: 'oxygen_potential_min',
      type: 'number',
      unit: 'eV per O',
      about:
        'Below this potential of O, against half an O2 of the scale, it gives off oxygen; empty: it contains none',
      of: ({ energy }) => energy.oxygenPotentialMin,
    },
    {
      name: 'oxygen_potential_max',
      type: 'number',
      unit: 'eV per O',
      about:
        'Above this potential of O it takes up oxygen; empty: an element without an oxide in the catalogue',
      of: ({ energy }) => energy.oxygenPotentialMax,
    },
    {
      name: 'decomposition_energy_in_water',
      ...eV,
      about: 'In water at pH 7 and 0 V against SHE, 25 °C, 1e-6 mol/l; 0 is stable',
      of: ({ energy }) => energy.decompositionEnergyInWater,
    },
    {
      name: 'decomposition',
      type: 'json',
      about: 'Stable phases of the same composition and their shares of the atoms',
      of: ({ energy }) => energy.decomposition,
    },
    {
      name: 'release',
      type: 'int',
      about: 'The rebuild the hull is from',
      of: ({ energy }) => energy.releaseId,
    },
    {
      name: 'energy_source',
      type: 'json',
      about: 'Where the energy comes from',
      of: ({ energy }) => energy.source,
    },
    ...source<HullRow>(({ material }) => material),
  ],
};

export interface WindowRow {
  readonly struct_id: number;
  readonly formula: string;
  readonly chemical_system: string;
  readonly working_ion: string;
  readonly energy_scale: string;
  readonly reduction_onset: number;
  readonly oxidation_onset: number | null;
  readonly release: number | null;
  readonly source_name: string;
  readonly source_id: string;
  readonly source_licence: string;
}

const window = (
  name: keyof WindowRow,
  type: ColumnType,
  about: string,
  unit?: string,
): Column<WindowRow> => ({
  name,
  type,
  about,
  ...(unit === undefined ? {} : { unit }),
  of: (row) => row[name],
});

export const WINDOWS: Table<WindowRow> = {
  name: 'windows',
  about: 'One electrochemical window a row: a material against a working ion on an energy scale',
  columns: [
    window('struct_id', 'int', 'Number of the material'),
    window('formula', 'text', 'Chemical formula'),
    window('chemical_system', 'text', 'Its elements by the alphabet'),
    window('working_ion', 'text', 'Voltages are against its metal'),
    window('energy_scale', 'text', 'Scale of the energies'),
    window('reduction_onset', 'number', 'Where it begins to be reduced', 'V'),
    window('oxidation_onset', 'number', 'Where it begins to be oxidised; empty: no upper bound', 'V'),
    window('release', 'int', 'The rebuild it is from'),
    window('source_name', 'text', 'Collection the material was taken from'),
    window('source_id', 'text', 'Its identifier there'),
    window('source_licence', 'text', 'Licence its data are under'),
  ],
};

export type ElectrodeDump = Selectable<DB['electrode']> & {
  readonly formula: string;
  readonly charged_formula: string;
  readonly source_name: string;
  readonly source_id: string;
  readonly source_licence: string;
};

const electrode = (
  name: string,
  type: ColumnType,
  about: string,
  of: (row: ElectrodeDump) => unknown,
  unit = '',
): Column<ElectrodeDump> => ({ name, type, about, ...(unit === '' ? {} : { unit }), of });

export const ELECTRODES: Table<ElectrodeDump> = {
  name: 'electrodes',
  about: 'One insertion electrode a row: a host with an ion on an energy scale, calculated',
  columns: [
    electrode('struct_id', 'int', 'Number of the discharged material', (row) => row.discharged_id),
    electrode('formula', 'text', 'Its formula', (row) => row.formula),
    electrode('charged_id', 'int', 'Number of the charged material', (row) => row.charged_id),
    electrode('charged_formula', 'text', 'Its formula', (row) => row.charged_formula),
    electrode('chemical_system', 'text', 'Elements by the alphabet', (row) => row.chemical_system),
    electrode('working_ion', 'text', 'Voltages are against its metal', (row) => row.working_ion),
    electrode('energy_scale', 'text', 'Scale of the energies', (row) => row.functional),
    ...Object.values(ELECTRODE_FIELDS).map(({ column, type, unit, label }) =>
      electrode(column, type, label.en, (row) => row[column], unit),
    ),
    electrode('plateaus', 'json', 'Voltages in V by ions per host, from the charged end', (row) => row.steps),
    electrode('release', 'int', 'The rebuild it is from', (row) => row.release_id),
    electrode('source_name', 'text', 'Collection of the discharged material', (row) => row.source_name),
    electrode('source_id', 'text', 'Its identifier there', (row) => row.source_id),
    electrode('source_licence', 'text', 'Licence its data are under', (row) => row.source_licence),
  ],
};

export type PotentialRow = Omit<Selectable<DB['potential_prediction']>, 'made_at'> & {
  readonly formula: string;
  readonly source_name: string;
  readonly source_id: string;
  readonly source_licence: string;
};

export const POTENTIAL: Table<PotentialRow> = {
  name: 'potential',
  about: 'What the interatomic potential predicts for a material, one a row: neither measured nor calculated',
  columns: [
    { name: 'struct_id', type: 'int', about: 'Number of the material', of: (row) => row.struct_id },
    { name: 'formula', type: 'text', about: 'Chemical formula', of: (row) => row.formula },
    { name: 'model', type: 'text', about: 'Name and version of the potential', of: (row) => row.model },
    ...predictedFieldsBy('potential').map(
      ({ name, unit, meaning, column }): Column<PotentialRow> => ({
        name,
        type: 'number',
        unit,
        about: meaning.en,
        of: (row) => row[column],
      }),
    ),
    {
      name: 'elastic_tensor',
      type: 'json',
      unit: 'GPa',
      about: 'Predicted elastic tensor, 6×6, order xx yy zz yz xz xy, in the axes of the primitive cell',
      of: (row) => row.details?.elastic_tensor ?? null,
    },
    {
      name: 'phonons',
      type: 'json',
      about: 'Predicted density of states (THz) and harmonic thermodynamics (K, eV/atom)',
      of: (row) => row.details?.phonons ?? null,
    },
    {
      name: 'missing',
      type: 'text',
      about: 'Why values are missing; empty if none is',
      of: (row) => row.refusal,
    },
    {
      name: 'source_name',
      type: 'text',
      about: 'Collection the structure was taken from',
      of: (row) => row.source_name,
    },
    { name: 'source_id', type: 'text', about: 'Its identifier there', of: (row) => row.source_id },
    {
      name: 'source_licence',
      type: 'text',
      about: 'Licence the structure is under',
      of: (row) => row.source_licence,
    },
  ],
};

/** Returns a row as an object with the column names as keys. */
export const objectOf =
  <Row>({ columns }: Table<Row>) =>
  (row: Row): object =>
    Object.fromEntries(columns.map(({ name, of }) => [name, of(row) ?? null]));
