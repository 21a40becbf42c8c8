/** The info endpoints: bases, entry types, and every property with type, unit and description. */
import { evaluateFilter } from '@unitcell/filter';
import { sql } from 'kysely';
import { API_VERSION, BASES } from './envelope.ts';
import { type Asked, type AskedFields, type ListQuery, writeCursor } from './read-query.ts';
import { STRUCTURE_FIELDS, USUAL_FIELDS } from './structure-fields.ts';

/** Values of small lists kept in memory (references and links). Filters are evaluated for each entry. */
type SmallValue = string | null;

export interface SmallEntry {
  readonly id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, SmallValue>>;
}

const TEXT: Asked = { sql: sql`''`, filter: { type: 'text' } };

/** Fields with these names, all strings, with `id` and `type`. */
export const textFields = (names: readonly string[]): AskedFields =>
  new Map<string, Asked>([...names, 'id', 'type'].map((name) => [name, TEXT]));

const valueOf = ({ id, type, attributes }: SmallEntry, name: string) =>
  name === 'id' ? id : name === 'type' ? type : (attributes[name] ?? null);

const compare = (a: SmallValue, b: SmallValue): number => {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : Number(a > b);
};

interface SmallPage {
  readonly entries: readonly SmallEntry[];
  readonly count: number;
  readonly cursor: string | null;
}

/** The cursor is a position in the list, which is sorted by id. */
export function pageOf(
  all: readonly SmallEntry[],
  { filter, sort, limit, after, fields }: ListQuery,
): SmallPage {
  const found =
    filter === null
      ? [...all]
      : all.filter((entry) => evaluateFilter(filter, (name) => valueOf(entry, name)));
  for (const { name, isDescending } of [...sort].reverse())
    found.sort((a, b) => (isDescending ? -1 : 1) * compare(valueOf(a, name), valueOf(b, name)));
  const start = after === null ? 0 : Number(after.at(-1));
  const entries = found.slice(start, start + limit).map((entry) => ({
    ...entry,
    attributes: Object.fromEntries(
      Object.entries(entry.attributes).filter(([name]) => fields === null || fields.includes(name)),
    ),
  }));
  const isMore = start + limit < found.length;
  return {
    entries,
    count: found.length,
    cursor: isMore ? writeCursor([...sort.map(() => null), start + limit]) : null,
  };
}

const VERSIONS: Readonly<Record<(typeof BASES)[number], string>> = {
  '/optimade/v1': API_VERSION,
  '/optimade/v1.2': API_VERSION,
  '/optimade/v1.2.0': API_VERSION,
};

export const baseInfo = (publicUrl: string) => ({
  id: '/',
  type: 'info',
  attributes: {
    api_version: API_VERSION,
    available_api_versions: BASES.map((base) => ({ url: `${publicUrl}${base}`, version: VERSIONS[base] })),
    formats: ['json'],
    entry_types_by_format: { json: ['structures', 'references'] },
    available_endpoints: ['info', 'links', 'references', 'structures'],
    is_index: false,
    license: { href: `${publicUrl}/protocal/user` },
    // Entries have the licence of their source: _unitcell_source_licence.
    available_licenses: null,
    available_licenses_for_entries: null,
  },
});

const COMMON = {
  id: { description: 'Identifier of the entry', type: 'string', sortable: true },
  type: { description: 'Name of the type of the entry', type: 'string', sortable: true },
} as const;

export function structuresInfo() {
  const properties = Object.fromEntries(
    USUAL_FIELDS.map((name) => {
      const { description = '', unit, type, sql: expression, filter } = STRUCTURE_FIELDS.get(name) ?? {};
      const sortable = expression !== undefined && !filter?.isList;
      return [name, { description, ...(unit === undefined ? {} : { unit }), type, sortable }];
    }),
  );
  return {
    id: 'structures',
    type: 'info',
    description: 'Crystals of the catalogue: primitive cells with what is known of them',
    properties: { ...COMMON, ...properties },
    formats: ['json'],
    output_fields_by_format: { json: ['id', 'type', ...USUAL_FIELDS] },
  };
}

const REFERENCE_PROPERTIES = {
  ...COMMON,
  immutable_id: { description: 'Not provided', type: 'string', sortable: true },
  last_modified: {
    description: 'When a structure of this source was changed last',
    type: 'timestamp',
    sortable: true,
  },
  title: { description: 'Name of the source', type: 'string', sortable: true },
  note: { description: 'Licence of the source', type: 'string', sortable: true },
} as const;

export const referencesInfo = () => ({
  id: 'references',
  type: 'info',
  description: 'The sources the structures come from, with their licences',
  properties: REFERENCE_PROPERTIES,
  formats: ['json'],
  output_fields_by_format: { json: Object.keys(REFERENCE_PROPERTIES) },
});

/** Properties that are always null: references state only name and licence; papers are listed with each material. */
const NOT_PROVIDED =
  'address annote authors bib_type booktitle chapter crossref doi edition editors howpublished institution journal key month ' +
  'number organization pages publisher school series url volume year';

/** Properties of the specification that a filter of references may use. */
export const REFERENCE_NAMES = ['title', 'note', 'last_modified', 'immutable_id', ...NOT_PROVIDED.split(' ')];
export const LINK_NAMES = ['name', 'description', 'base_url', 'homepage', 'link_type', 'aggregate'] as const;
