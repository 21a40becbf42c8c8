/**
 * One call of the API, described once: the server validates with it, the web client is typed by it and the
 * OpenAPI document is generated from it.
 */
import { z } from 'zod';
import { type Refusal, refusalWith } from './common.ts';

// One file with its own address, described once: a GET for programs without JSON (wget, a browser, a notebook).

export interface FileAddress<Query extends z.ZodType = z.ZodType> {
  /** Unique among calls and files, in camelCase; also the OpenAPI operationId. */
  readonly name: string;
  readonly group: string;
  /** `{struct_id}` stands for the id of a material. */
  readonly path: `/api/materials/{struct_id}${string}`;
  readonly summary: string;
  /** Media type of the file. */
  readonly type: string;
  /** The query parameters. */
  readonly query: Query;
  /** Refusal codes, sent with status 422. */
  readonly refusals?: readonly string[];
  /** The calculation may occupy a thread, as in {@link Call.calculates}. */
  readonly calculates?: true;
}

/** Preserves the literal type of the query. */
export const defineFile = <Query extends z.ZodType>(file: FileAddress<Query>): FileAddress<Query> => file;

/**
 * Who may make a call: anyone, anyone with a valid token, or an administrator who has signed in (never an API
 * key).
 */
export type Access = 'public' | 'user' | 'administrator';

/** Format of the request: JSON body, one uploaded file (multipart), or none. */
export type RequestBody = 'json' | 'none' | UploadBody;
export interface UploadBody {
  readonly fileField: string;
  /** Description of the file. */
  readonly meaning: string;
  readonly maxBytes: number;
  /** Error codes for a missing file and for one that is too large. */
  readonly missing: string;
  readonly tooLarge: string;
}

interface CallDescription<
  Request extends z.ZodType,
  Answer extends z.ZodType,
  CallAccess extends Access,
  Body extends RequestBody,
  Code extends string,
> {
  /** Unique, in camelCase; also the OpenAPI operationId. */
  readonly name: string;
  readonly group: string;
  readonly method: 'GET' | 'POST';
  /** Ends with a slash. */
  readonly path: string;
  readonly summary: string;
  readonly access: CallAccess;
  readonly body: Body;
  readonly request: Request;
  /** The successful answer. */
  readonly answer: Answer;
  /** Codes of the situations of spec §8 in which the call returns status 200 with `error: "true"`. */
  readonly refusals: readonly Code[];
  /** Codes that have their own status (404, 413, 429), in addition to those common to all calls of its kind. */
  readonly faults?: readonly string[];
  /** A public call that recognises members by their token. */
  readonly knowsMembers?: true;
  /** The calculation may occupy a thread. Such calls have a budget per account and minute. */
  readonly calculates?: true;
  /** The answer holds all data of one material. Members have a lower budget for such calls. */
  readonly isDetail?: true;
  /** The answer depends only on the site's data. It has an ETag, and caches may store and revalidate it. */
  readonly cache?: 'public' | 'private';
  /** Limit of a JSON body in bytes; default 64 KiB. */
  readonly maxBodyBytes?: number;
  /** Format of an answer that is not JSON: a stream, or a file of one of these types. */
  readonly answerType?: 'text/event-stream' | readonly string[];
}

export interface Call<
  Request extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  CallAccess extends Access = Access,
  Body extends RequestBody = RequestBody,
  Code extends string = string,
> extends CallDescription<Request, Answer, CallAccess, Body, Code> {
  /** Body of a response with status 200: the answer, or a refusal. */
  readonly response: z.ZodType;
}

export type CallRequest<C extends Call> = z.input<C['request']>;
/** The successful answer. */
export type CallAnswer<C extends Call> = z.output<C['answer']>;
/** The successful answer, or a refusal if the call has any. */
export type CallResponse<C extends Call> =
  | CallAnswer<C>
  | (C['refusals'][number] extends never ? never : Refusal<C['refusals'][number]>);

/** Preserves the literal types of a call, and adds the refusals to its response. */
export const defineCall = <
  Request extends z.ZodType,
  Answer extends z.ZodType,
  const CallAccess extends Access,
  const Body extends RequestBody,
  const Code extends string,
>(
  call: CallDescription<Request, Answer, CallAccess, Body, Code>,
): Call<Request, Answer, CallAccess, Body, Code> => ({
  ...call,
  response: call.refusals.length === 0 ? call.answer : z.union([call.answer, refusalWith(call.refusals)]),
});

/** Rejects unknown fields: a misspelled filter would otherwise be ignored silently. */
export const strictRequest = ({ request }: Call): z.ZodType =>
  request instanceof z.ZodObject ? request.strict().meta(request.meta() ?? {}) : request;
