/**
 * One call of the API, described once: the server validates with it, the web client is typed by it and the
 * OpenAPI document is generated from it.
 */
import { z } from 'zod';
import type { CallAddress } from './calls.ts';
import { emptyRequest, type Refusal, refusalWith } from './common.ts';

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
  /** Name of the group. Default: the first part of the path, which differs from the group in some old addresses. */
  readonly group?: string;
  readonly summary: string;
  /** Default: `user`. */
  readonly access?: CallAccess;
  /** Default: `json` for POST, `none` for GET. */
  readonly body?: Body;
  /** Default: no request. */
  readonly request?: Request;
  /** The successful answer. */
  readonly answer: Answer;
  /** Codes of the situations of spec §8 in which the call returns status 200 with `error: "true"`; default: none. */
  readonly refusals?: readonly Code[];
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

type Defaults = 'group' | 'access' | 'body' | 'request' | 'refusals';

export interface Call<
  Request extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  CallAccess extends Access = Access,
  Body extends RequestBody = RequestBody,
  Code extends string = string,
> extends CallAddress,
    Omit<CallDescription<Request, Answer, CallAccess, Body, Code>, Defaults>,
    Required<Pick<CallDescription<Request, Answer, CallAccess, Body, Code>, Defaults>> {
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

const GROUP_OF_PART: Readonly<Record<string, string>> = {
  arkid: 'account',
  key: 'account',
  irvsp: 'topology',
  releases: 'matdata',
};

const groupOf = ({ path }: CallAddress): string => {
  const part = path.split('/')[2] ?? '';
  return GROUP_OF_PART[part] ?? part.replaceAll('_', '-');
};

/** A call with its address and the defaults of {@link CallDescription}; its response includes the refusals. */
export function defineCall<
  Answer extends z.ZodType,
  Request extends z.ZodType = typeof emptyRequest,
  const CallAccess extends Access = 'user',
  const Body extends RequestBody = Exclude<RequestBody, UploadBody>,
  const Code extends string = never,
>(
  address: CallAddress,
  call: CallDescription<Request, Answer, CallAccess, Body, Code>,
): Call<Request, Answer, CallAccess, Body, Code>;
export function defineCall(
  { name, method, path }: CallAddress,
  call: CallDescription<z.ZodType, z.ZodType, Access, RequestBody, string>,
): Call {
  const { answer, refusals = [] } = call;
  return {
    group: groupOf({ name, method, path }),
    access: 'user',
    body: method === 'GET' ? 'none' : 'json',
    request: emptyRequest,
    ...call,
    name,
    method,
    path,
    refusals,
    response: refusals.length === 0 ? answer : z.union([answer, refusalWith(refusals)]),
  };
}

/** Rejects unknown fields: a misspelled filter would otherwise be ignored silently. */
export const strictRequest = ({ request }: Call): z.ZodType =>
  request instanceof z.ZodObject ? request.strict().meta(request.meta() ?? {}) : request;
