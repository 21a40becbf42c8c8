/** One file with an address, described once: a GET that programs without JSON (wget, a browser, a notebook) can make. */
import type { z } from 'zod';

export interface FileAddress<Query extends z.ZodType = z.ZodType> {
  /** Unique among calls and files, camelCase; the OpenAPI operationId. */
  readonly name: string;
  readonly group: string;
  /** `{struct_id}` stands for the id of a material. */
  readonly path: `/api/materials/{struct_id}${string}`;
  readonly summary: string;
  /** Media type of what is sent. */
  readonly type: string;
  /** What may stand behind the question mark. */
  readonly query: Query;
  /** Codes answered with 422. */
  readonly refusals?: readonly string[];
  /** As of a call. */
  readonly calculates?: true;
}

/** Keeps the type of the query. */
export const defineFile = <Query extends z.ZodType>(file: FileAddress<Query>): FileAddress<Query> => file;
