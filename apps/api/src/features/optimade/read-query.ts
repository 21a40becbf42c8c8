/** Query parameters of a list, validated as the specification requires (5.2 of 1.2). */
import { MAX_ID } from '@unitcell/contract/common';
import { checkFilter, type Filter, FilterError, type FilterField, parseFilter } from '@unitcell/filter';
import type { Expression } from 'kysely';
import { zeroByteIn } from '../../http/serve-call.ts';
import { OptimadeError } from './envelope.ts';

export const PAGE_LIMIT = { default: 20, most: 500 } as const;
const MAX_SORTED = 4;

/** A parsed list request. */
export interface Asked {
  readonly type?: string;
  readonly sql?: Expression<unknown>;
  readonly filter?: FilterField;
}
export type AskedFields = ReadonlyMap<string, Asked>;

export interface SortField {
  readonly name: string;
  readonly isDescending: boolean;
}

export interface ListQuery {
  readonly filter: Filter | null;
  /** null: all default fields. */
  readonly fields: readonly string[] | null;
  readonly sort: readonly SortField[];
  readonly limit: number;
  /** The sort values and the number of the previous page's last entry. */
  readonly after: readonly (string | number | boolean | null)[] | null;
  readonly warnings: readonly string[];
}

export type RawQuery = Readonly<Record<string, unknown>>;

const KNOWN = new Set([
  'filter',
  'response_format',
  'email_address',
  'response_fields',
  'sort',
  'page_limit',
  'page_cursor',
  'include',
  'api_hint',
]);
const KNOWN_OF_ENTRY = ['response_format', 'email_address', 'response_fields', 'include', 'api_hint'];

const refuse = (parameter: string, detail: string): never => {
  throw new OptimadeError(400, detail, parameter);
};

const OWN = '_unitcell_';

/** Suggests the prefixed name, since provider properties are often requested without it. */
const noProperty = (name: string, fields: AskedFields): string => {
  const ours = fields.has(OWN + name) ? `; ours is ${OWN}${name}` : '';
  return `there is no property ${name.slice(0, 60)}${ours}`;
};

const isForeign = (name: string): boolean => name.startsWith('_') && !name.startsWith(OWN);

/** Parameters with another provider's prefix are ignored; unknown parameters are errors. */
function refuseUnknown(query: RawQuery): string[] {
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (typeof value !== 'string') refuse(name, `${name.slice(0, 60)} was given more than once`);
    if (zeroByteIn(value) !== undefined) refuse(name, `${name.slice(0, 60)} holds a zero byte`);
    if (KNOWN.has(name)) continue;
    if (!isForeign(name))
      refuse(name, `there is no parameter ${name.slice(0, 60)}; known are ${[...KNOWN].join(', ')}`);
    warnings.push(`the parameter ${name.slice(0, 60)} of another provider was passed over`);
  }
  const { response_format: format = 'json', include = '' } = query as Readonly<Record<string, string>>;
  if (format !== 'json') refuse('response_format', `only json is answered, not ${format.slice(0, 60)}`);
  if (include !== '' && include !== 'references')
    refuse('include', `only references can be included, not ${include.slice(0, 60)}`);
  return warnings;
}

/** Returns all property names in a filter. */
function namesIn(tree: Filter): string[] {
  switch (tree.kind) {
    case 'and':
    case 'or':
      return tree.terms.flatMap(namesIn);
    case 'not':
      return namesIn(tree.term);
    case 'has':
      return [...tree.properties];
    default:
      return 'to' in tree && 'property' in tree.to ? [tree.property, tree.to.property] : [tree.property];
  }
}

/**
 * The fields that a filter may use: those in `fields`, and names in `names` with the prefix of another
 * provider, whose values are unknown.
 */
export function filterFieldsFor(fields: AskedFields, names: readonly string[]): Map<string, FilterField> {
  const known = [...fields].flatMap(([name, { filter }]) => (filter ? [[name, filter] as const] : []));
  const foreign = names.filter(isForeign).map((name) => [name, { type: 'unknown' } as const] as const);
  return new Map<string, FilterField>([...known, ...foreign]);
}

function readFilter(text: string, fields: AskedFields, warnings: string[]): Filter {
  try {
    const parsed = parseFilter(text);
    const names = namesIn(parsed.tree);
    const closed = names.find((name) => fields.has(name) && !fields.get(name)?.filter);
    if (closed !== undefined) throw new OptimadeError(501, `${closed} cannot be used in a filter`, 'filter');
    const bare = names.find((name) => !fields.has(name) && fields.has(OWN + name));
    if (bare !== undefined) refuse('filter', noProperty(bare, fields));
    for (const name of new Set(names.filter(isForeign)))
      warnings.push(`the property ${name.slice(0, 60)} of another provider is unknown here`);
    checkFilter(parsed, filterFieldsFor(fields, names));
    return parsed.tree;
  } catch (error) {
    if (error instanceof FilterError) refuse('filter', error.message);
    throw error;
  }
}

function readFields(text: string, fields: AskedFields, warnings: string[]): string[] {
  const names = text.split(',').filter((name) => name !== '' && name !== 'id' && name !== 'type');
  for (const name of names) {
    if (fields.has(name)) continue;
    if (!isForeign(name)) refuse('response_fields', noProperty(name, fields));
    warnings.push(`the property ${name.slice(0, 60)} of another provider is unknown here`);
  }
  return names.filter((name) => fields.has(name));
}

function readSort(text: string, fields: AskedFields): SortField[] {
  const names = text.split(',').filter((name) => name !== '');
  if (names.length > MAX_SORTED) refuse('sort', `at most ${MAX_SORTED} sort properties are accepted`);
  return names.map((signed) => {
    const isDescending = signed.startsWith('-');
    const name = isDescending ? signed.slice(1) : signed;
    const field = fields.get(name);
    if (!field) return refuse('sort', noProperty(name, fields));
    if (field.sql === undefined || field.filter?.isList) return refuse('sort', `cannot sort by ${name}`);
    return { name, isDescending };
  });
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d{1,9}$/.test(text) || limit < 1)
    return refuse('page_limit', `page_limit is "${text.slice(0, 20)}": expected a whole number above 0`);
  if (limit > PAGE_LIMIT.most)
    throw new OptimadeError(
      403,
      `page_limit is ${limit}: at most ${PAGE_LIMIT.most} are answered at once`,
      'page_limit',
    );
  return limit;
}

export const writeCursor = (after: NonNullable<ListQuery['after']>): string =>
  Buffer.from(JSON.stringify(after)).toString('base64url');

const TYPES = { text: 'string', number: 'number', flag: 'boolean', unknown: 'string' } as const;

/** Contents of a cursor: a value of the right type or null for each sort field, then a valid id. */
function readCursor(text: string, sort: readonly SortField[], fields: AskedFields): ListQuery['after'] {
  let values: unknown;
  try {
    values = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    values = null;
  }
  const isCursor =
    Array.isArray(values) &&
    values.length === sort.length + 1 &&
    zeroByteIn(values) === undefined &&
    sort.every(({ name }, index) => {
      const value: unknown = values[index];
      return value === null || typeof value === TYPES[fields.get(name)?.filter?.type ?? 'unknown'];
    }) &&
    Number.isInteger(values.at(-1)) &&
    values.at(-1) >= 0 &&
    values.at(-1) <= MAX_ID;
  return isCursor
    ? (values as ListQuery['after'])
    : refuse('page_cursor', 'page_cursor is not one this list made: follow links.next');
}

/** @throws OptimadeError naming the parameter */
export function readListQuery(query: RawQuery, fields: AskedFields): ListQuery {
  const warnings = refuseUnknown(query);
  const text = query as Readonly<Record<string, string | undefined>>;
  const sort = text.sort ? readSort(text.sort, fields) : [];
  return {
    filter: text.filter ? readFilter(text.filter, fields, warnings) : null,
    fields: text.response_fields === undefined ? null : readFields(text.response_fields, fields, warnings),
    sort,
    limit: text.page_limit === undefined ? PAGE_LIMIT.default : readLimit(text.page_limit),
    after: text.page_cursor ? readCursor(text.page_cursor, sort, fields) : null,
    warnings,
  };
}

/**
 * Reads the query of a single entry, where unknown parameters are ignored (5.3 of the specification). @throws
 * OptimadeError naming the parameter
 */
export const readEntryQuery = (query: RawQuery, fields: AskedFields): ListQuery =>
  readListQuery(
    Object.fromEntries(Object.entries(query).filter(([name]) => KNOWN_OF_ENTRY.includes(name))),
    fields,
  );
