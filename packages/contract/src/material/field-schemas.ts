/** Schemas of a material's scalar properties, made from the table of fields. */
import {
  type FieldName,
  fieldOf,
  type Form,
  type PlacedName,
  placedNames,
  type Scalars,
  SEARCH_ROW,
  type SearchRow,
} from '@unitcell/material';
import { z } from 'zod';
import { unit } from '../field-meta.ts';

/** Characters of a text or an address. */
const MAX_TEXT = 2000;

function valueSchema(name: FieldName): z.ZodType {
  const field = fieldOf(name);
  switch (field.kind) {
    case 'number':
      return field.min === undefined ? z.number() : z.number().min(field.min);
    case 'id':
    case 'count':
      return z.int();
    case 'flag':
      return z.boolean();
    case 'texts':
      return z.array(z.string());
    case 'choice':
      return z.enum(Object.keys(field.options));
    case 'url':
      return z.url().max(MAX_TEXT);
    default:
      return z.string().max(MAX_TEXT);
  }
}

/** With what the OpenAPI document says of it. */
function described(name: FieldName, schema: z.ZodType): z.ZodType {
  const field = fieldOf(name);
  const symbol = field.kind === 'number' && field.unit !== '' ? field.unit : null;
  return schema.meta(unit(symbol, field.meaning.en));
}

const answered = (name: FieldName): z.ZodType =>
  described(name, fieldOf(name).isNullable ? valueSchema(name).nullable() : valueSchema(name));

/** What is left out of a line is unknown, or has the default of its field. */
function imported(name: FieldName): z.ZodType {
  const { isNullable, lineDefault } = fieldOf(name);
  if (isNullable) return valueSchema(name).nullable().default(null);
  return lineDefault === undefined ? valueSchema(name) : valueSchema(name).default(lineDefault);
}

/** Schemas by field name, to be placed in the form they belong to. */
export function fieldSchemas<F extends Form>(
  form: F,
): {
  [Name in PlacedName<F>]: z.ZodType<Scalars[Name], Scalars[Name]>;
};
export function fieldSchemas(form: Form): object {
  const schemaOf = form === 'line' ? imported : answered;
  return Object.fromEntries(placedNames(form).map((name) => [name, schemaOf(name)]));
}

/** The positional row of the search results. */
export function searchRowSchema(): z.ZodType<SearchRow, SearchRow>;
export function searchRowSchema(): z.ZodType {
  const [first, ...others] = SEARCH_ROW;
  /** A position has no name on the wire; the OpenAPI document gives it that of its column. */
  const positioned = (name: (typeof SEARCH_ROW)[number]): z.ZodType =>
    answered(name).meta({ title: fieldOf(name).row?.name });
  return z.tuple([positioned(first), ...others.map(positioned)]);
}
