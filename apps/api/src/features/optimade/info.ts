/** What the provider says of itself: bases, entry types, and every property with type, unit and meaning. */
import { API_VERSION, BASES } from './envelope.ts';
import { STRUCTURE_FIELDS, USUAL_FIELDS } from './structure-fields.ts';

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
    // Entries keep the licence of their source: _unitcell_source_licence.
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
      const { description = '', unit, type, sql, filter } = STRUCTURE_FIELDS.get(name) ?? {};
      const sortable = sql !== undefined && !filter?.isList;
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

/** Null everywhere: sources are named and licensed here, their papers stand with each material. */
const NOT_PROVIDED =
  'address annote authors bib_type booktitle chapter crossref doi edition editors howpublished institution journal key month ' +
  'number organization pages publisher school series url volume year';

/** What a filter of references may name: the properties of the specification. */
export const REFERENCE_NAMES = ['title', 'note', 'last_modified', 'immutable_id', ...NOT_PROVIDED.split(' ')];
export const LINK_NAMES = ['name', 'description', 'base_url', 'homepage', 'link_type', 'aggregate'] as const;
