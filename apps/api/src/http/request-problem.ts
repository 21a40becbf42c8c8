/**
 * Describes what is wrong with the fields of a request. The validator's own messages are in English and for
 * programmers.
 */
import type { ZodFastifySchemaValidationError } from 'fastify-type-provider-zod';
import { nearestOf } from '@unitcell/filter';
import { isMessageKey, type MessageKey, type NestedMessage } from '../messages/messages.ts';

type Issue = Pick<ZodFastifySchemaValidationError, 'keyword' | 'instancePath' | 'message' | 'params'>;

const SHOWN = 60;

/** The value at a path such as `/a/0/b`; undefined if absent. */
const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[key] : undefined,
    value,
  );

/** Message that describes the expected text, for each pattern of the contract. */
const FORMS: Readonly<Record<string, MessageKey>> = {
  'an integer of at most ten digits': 'request.expects.id',
  'a mainland mobile number of eleven digits': 'request.expects.mobile',
  'a code of six digits': 'request.expects.code',
  'six digits or a recovery code': 'request.expects.second-factor',
};

/** A sentence that describes the expected value. */
function expected({ keyword, message = '', params }: Issue): NestedMessage {
  const known = (key: string, parameters: NestedMessage['parameters'] = {}): NestedMessage =>
    isMessageKey(key) ? { key, parameters } : { key: 'request.expects.other' };
  const bound = params.minimum ?? params.maximum;
  const limit = typeof bound === 'number' ? bound : '';
  switch (keyword) {
    case 'invalid_type':
      return known(`request.expects.${String(params.expected)}`);
    case 'too_small':
    case 'too_big': {
      const of = params.origin === 'string' || params.origin === 'array' ? params.origin : 'number';
      return known(`request.expects.${of}-${keyword === 'too_small' ? 'min' : 'max'}`, { limit });
    }
    case 'invalid_value': {
      const values = Array.isArray(params.values) ? params.values.slice(0, 40).join(', ') : '';
      return known('request.expects.one-of', { values });
    }
    case 'invalid_union': {
      const [[first] = []] = (params.errors ?? []) as readonly (readonly {
        code: string;
        message: string;
      }[])[];
      if (!first) return { key: 'request.expects.other' };
      const { code, message: text, ...rest } = first;
      return expected({ keyword: code, instancePath: '', message: text, params: rest });
    }
    default:
      return { key: FORMS[message] ?? 'request.expects.other' };
  }
}

/** For an unknown field it suggests the most similar name of `known`; `sent` is the refused body or query. */
export function requestProblem(issue: Issue, sent: unknown, known: readonly string[]): NestedMessage {
  const path = issue.instancePath.split('/').filter((part) => part !== '');
  const field = (path.join('.') || 'body').slice(0, SHOWN);
  if (issue.keyword === 'unrecognized_keys') {
    const [unknown = ''] = (issue.params.keys ?? []) as readonly string[];
    const shown = unknown.slice(0, SHOWN);
    return known.length === 0
      ? { key: 'request.no-fields', parameters: { field: shown } }
      : { key: 'request.field-unknown', parameters: { field: shown, nearest: nearestOf(shown, known) } };
  }
  const value = path.length === 0 ? sent : at(sent, path);
  if (value === undefined) return { key: 'request.field-missing', parameters: { field } };
  const shown = JSON.stringify(value).slice(0, SHOWN);
  return { key: 'request.field-wrong', parameters: { field, value: shown, expected: expected(issue) } };
}

/**
 * The path (`a.b.0`) of the first text or key with a zero byte in a JSON value; undefined if there is none.
 * PostgreSQL cannot store a zero byte in text and would refuse the statement.
 * The function does not use recursion, because bodies may be nested deeply.
 */
export function zeroByteIn(value: unknown): string | undefined {
  const open: [path: string, value: unknown][] = [['', value]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, found] = next;
    if (typeof found === 'string' && found.includes('\0')) return path || 'body';
    if (typeof found !== 'object' || found === null) continue;
    for (const [key, inner] of Object.entries(found)) {
      if (key.includes('\0')) return path || 'body';
      // Most entries of a long measured pattern are numbers, which need no path.
      if (typeof inner === 'string' || typeof inner === 'object')
        open.push([path ? `${path}.${key}` : key, inner]);
    }
  }
  return undefined;
}

/**
 * Whether lists and objects are nested more deeply than `levels`, which later recursive code could not
 * handle. This function does not use recursion.
 */
export function isNestedBeyond(value: unknown, levels: number): boolean {
  const isOpen = (inner: unknown): inner is object => typeof inner === 'object' && inner !== null;
  let open = [value].filter(isOpen);
  for (let level = 0; level < levels && open.length > 0; level++)
    open = open.flatMap((outer) => Object.values(outer).filter(isOpen));
  return open.length > 0;
}
