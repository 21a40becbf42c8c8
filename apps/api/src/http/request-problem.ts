/** What is wrong with the fields of a request, in words of the product: the validator's own are English and for programmers. */
import type { ZodFastifySchemaValidationError } from 'fastify-type-provider-zod';
import { nearestOf } from '@unitcell/filter';
import { isMessageKey, type MessageKey, type NestedMessage } from '../messages/messages.ts';

type Issue = Pick<ZodFastifySchemaValidationError, 'keyword' | 'instancePath' | 'message' | 'params'>;

const SHOWN = 60;

/** What stands at `/a/0/b` of a value; undefined when nothing does. */
const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[key] : undefined,
    value,
  );

/** The forms of the contract that a pattern describes, by the words it has there. */
const FORMS: Readonly<Record<string, MessageKey>> = {
  'an integer of at most ten digits': 'request.expects.id',
  'a mainland mobile number of eleven digits': 'request.expects.mobile',
  'a code of six digits': 'request.expects.code',
  'six digits or a recovery code': 'request.expects.second-factor',
};

/** A sentence about what would have been right. */
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

/** Of unknown fields the one that `known` names most like it; `sent` is the body or query that was refused. */
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
 * Where the first text or key with a zero byte stands in a JSON value, as `a.b.0`; undefined where there is none. PostgreSQL keeps
 * every character in a text but that one, and refuses the statement that holds it.
 * Without recursion: bodies may be nested as deeply as they are long.
 */
export function zeroByteIn(value: unknown): string | undefined {
  const open: [path: string, value: unknown][] = [['', value]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, found] = next;
    if (typeof found === 'string' && found.includes('\0')) return path || 'body';
    if (typeof found !== 'object' || found === null) continue;
    for (const [key, inner] of Object.entries(found)) {
      if (key.includes('\0')) return path || 'body';
      // Numbers are most of a long pattern: they need no path.
      if (typeof inner === 'string' || typeof inner === 'object')
        open.push([path ? `${path}.${key}` : key, inner]);
    }
  }
  return undefined;
}

/** Whether lists and objects lie in each other deeper than so many levels: more than what walks them later could take. Without recursion. */
export function isNestedBeyond(value: unknown, levels: number): boolean {
  const isOpen = (inner: unknown): inner is object => typeof inner === 'object' && inner !== null;
  let open = [value].filter(isOpen);
  for (let level = 0; level < levels && open.length > 0; level++)
    open = open.flatMap((outer) => Object.values(outer).filter(isOpen));
  return open.length > 0;
}
