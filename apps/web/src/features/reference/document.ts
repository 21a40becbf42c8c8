/** Prepares the OpenAPI document for the page: calls by group, and schemas as table rows. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly 'x-unit'?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
}

export interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters?: readonly {
    readonly name?: string;
    readonly in?: string;
    readonly description?: string;
    readonly required?: boolean;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface ApiDocument {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
}

export interface Call extends Operation {
  readonly method: string;
  readonly path: string;
}

export const callsOf = ({ paths }: ApiDocument): Call[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );

/** Resolves a reference to a shared response. */
export const answerOf = ({ components }: ApiDocument, response: Response): Response =>
  components.responses[response.$ref?.split('/').at(-1) ?? ''] ?? response;

export interface FieldRow {
  readonly depth: number;
  readonly name: string;
  readonly type: string;
  readonly meaning: string;
  readonly isRequired: boolean;
}

const members = (schema: Schema): readonly Schema[] => schema.anyOf ?? schema.oneOf ?? [schema];

/** `number | null`, `"a" | "b"`, `list of object`. */
export function typeOf(schema: Schema): string {
  const words = members(schema).map((member) => {
    if (member.const !== undefined) return JSON.stringify(member.const);
    if (member.enum)
      return member.enum.length > 8
        ? 'one of many texts'
        : member.enum.map((value) => JSON.stringify(value)).join(' | ');
    if (member.prefixItems) return 'row';
    if (member.type === 'array') return `list of ${member.items ? typeOf(member.items) : 'any'}`;
    if (member.anyOf ?? member.oneOf) return typeOf(member);
    return [member.type ?? 'any'].flat().join(' | ');
  });
  return [...new Set(words)].join(' | ');
}

/** The fields of a schema, each followed by its nested fields. Positions of a tuple are named `0  title`. */
export function rowsOf(schema: Schema, depth = 0): FieldRow[] {
  return members(schema).flatMap((member) => {
    if (member !== schema && (member.anyOf ?? member.oneOf)) return rowsOf(member, depth);
    const row = (name: string, field: Schema, isRequired: boolean): FieldRow[] => [
      { depth, name, type: typeOf(field), meaning: field.description ?? '', isRequired },
      ...rowsOf(field, depth + 1),
    ];
    return [
      ...Object.entries(member.properties ?? {}).flatMap(([name, field]) =>
        row(name, field, member.required?.includes(name) ?? false),
      ),
      ...(member.prefixItems ?? []).flatMap((field, index) =>
        field.title ? row(`${index}  ${field.title}`, field, true) : [],
      ),
      ...(member.items ? rowsOf(member.items, depth) : []),
      ...(typeof member.additionalProperties === 'object' ? rowsOf(member.additionalProperties, depth) : []),
    ];
  });
}

/** Codes of the refusals that have the same HTTP status as an answer. */
export const refusalCodesOf = (schema: Schema): readonly string[] =>
  members(schema).flatMap(({ properties }) => (properties?.code?.enum ?? []).map(String));

/** The schema of the answer without the refusals that have the same HTTP status. */
export const withoutRefusal = (schema: Schema): Schema => {
  const [first, ...others] = members(schema);
  const isUnion = schema.anyOf !== undefined && others.some(({ properties }) => properties?.code);
  return isUnion && first ? first : schema;
};
