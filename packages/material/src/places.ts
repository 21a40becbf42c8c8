/**
 * Paths of the fields in the two nested forms of a material: a line of the import format, and the detail answer of the
 * API. A path has one or two parts: `band_gap` or `names.en`.
 */
import type { Field } from './fields/field.ts';
import { FIELD_NAMES, type FieldName, fieldOf, type FieldOf } from './fields/fields.ts';

export type Form = 'line' | 'detail';

type PathIn<F extends Form, Name extends FieldName> =
  FieldOf<Name> extends Readonly<Record<F, infer Path extends string>> ? Path : never;

/** Names of the fields that have a path in a form. */
export type PlacedName<F extends Form> = {
  [Name in FieldName]: [PathIn<F, Name>] extends [never] ? never : Name;
}[FieldName];

type Head<Path extends string> = Path extends `${infer Group}.${string}` ? Group : Path;
type Tail<Path extends string, Group extends string> = Path extends `${Group}.${infer Key}` ? Key : never;

/** Values by name, placed at their paths in the form. */
export type Placed<F extends Form, Values extends Readonly<Record<PlacedName<F>, unknown>>> = {
  readonly [Name in PlacedName<F> as Head<PathIn<F, Name>>]: PathIn<
    F,
    Name
  > extends `${infer Group}.${string}`
    ? { readonly [Member in PlacedName<F> as Tail<PathIn<F, Member>, Group>]: Values[Member] }
    : Values[Name];
};

/** The fields of a form with the parts of their paths, in the order of the table. */
const placesOf = (form: Form) =>
  FIELD_NAMES.flatMap((name) => {
    const path = fieldOf(name)[form];
    return path === undefined ? [] : [{ name, path: path.split('.') }];
  });
const PLACES = { line: placesOf('line'), detail: placesOf('detail') } as const;

type LineOf<Kind> = {
  [Name in PlacedName<'line'>]: FieldOf<Name>['kind'] extends Kind ? PathIn<'line', Name> : never;
}[PlacedName<'line'>];

/** Paths in an import line of the fields of the given kinds. */
export function linesOf<Kind extends Field['kind']>(...kinds: readonly Kind[]): readonly LineOf<Kind>[];
export function linesOf(...kinds: readonly Field['kind'][]): readonly string[] {
  return FIELD_NAMES.map(fieldOf).flatMap(({ kind, line }) => (kinds.includes(kind) ? (line ?? []) : []));
}

export const placedNames = (form: Form): readonly FieldName[] => PLACES[form].map(({ name }) => name);

/** Converts values by field name into the nested form. */
export function place<F extends Form, Values extends Readonly<Record<PlacedName<F>, unknown>>>(
  form: F,
  values: Values,
): Placed<F, Values>;
export function place(form: Form, values: Readonly<Partial<Record<FieldName, unknown>>>): object {
  const groups: Record<string, Record<string, unknown>> = {};
  const placed: Record<string, unknown> = {};
  for (const { name, path } of PLACES[form]) {
    const [head = '', key] = path;
    if (key === undefined) placed[head] = values[name];
    else placed[head] = groups[head] = { ...groups[head], [key]: values[name] };
  }
  return placed;
}

/** Whether a value read from JSON is an object; arrays are not. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Converts the nested form into values by field name; missing values are undefined. */
export function unplace<F extends Form, Values extends { readonly [Name in PlacedName<F>]: unknown }>(
  form: F,
  placed: Placed<F, Values>,
): Values;
export function unplace(form: Form, placed: object): object {
  return Object.fromEntries(
    PLACES[form].map(({ name, path }) => [
      name,
      path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), placed),
    ]),
  );
}
