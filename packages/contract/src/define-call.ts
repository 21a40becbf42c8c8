/**
 * One call of the API, described once: the server validates with it, the web client is typed by it and the OpenAPI
 * document is generated from it.
 */
import { z } from 'zod';
import { type Refusal, refusalWith } from './common.ts';

// One file with an address, described once: a GET that programs without JSON (wget, a browser, a notebook) can make.

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

/** Who may make a call: anybody, somebody with a valid token, or an administrator who has signed in (never an API key). */
export type Access = 'public' | 'user' | 'administrator';

/** How the request travels: JSON body, one uploaded file (multipart), or nothing. */
export type RequestBody = 'json' | 'none' | UploadBody;
export interface UploadBody {
  readonly fileField: string;
  /** What the file is. */
  readonly meaning: string;
  readonly maxBytes: number;
  /** Codes of what is said when there is no such file, and when it is larger. */
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
  /** Unique, camelCase; the OpenAPI operationId. */
  readonly name: string;
  readonly group: string;
  readonly method: 'GET' | 'POST';
  /** With its trailing slash. */
  readonly path: string;
  readonly summary: string;
  readonly access: CallAccess;
  readonly body: Body;
  readonly request: Request;
  /** What is answered when all went well. */
  readonly answer: Answer;
  /** Codes of the situations of spec §8 in which the call answers 200 with `error: "true"` instead. */
  readonly refusals: readonly Code[];
  /** Codes that come with a status of their own (404, 413, 429), beside those that every call of its kind may answer. */
  readonly faults?: readonly string[];
  /** A public call that knows members by their token. */
  readonly knowsMembers?: true;
  /** It may take a thread for a while: such calls have a budget per account and minute. */
  readonly calculates?: true;
  /** It gives all of one material: members may ask for fewer of these a minute. */
  readonly isDetail?: true;
  /** The answer depends on the data of the site alone: it has an ETag, and caches may keep it and ask whether it has changed. */
  readonly cache?: 'public' | 'private';
  /** Bytes a JSON body may have; 64 KiB when absent. */
  readonly maxBodyBytes?: number;
  /** What the answer is when it is not JSON: a stream, or a file of one of these types. */
  readonly answerType?: 'text/event-stream' | readonly string[];
}

export interface Call<
  Request extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  CallAccess extends Access = Access,
  Body extends RequestBody = RequestBody,
  Code extends string = string,
> extends CallDescription<Request, Answer, CallAccess, Body, Code> {
  /** All that can come with status 200: the answer, or a refusal. */
  readonly response: z.ZodType;
}

export type CallRequest<C extends Call> = z.input<C['request']>;
/** What comes when all went well. */
export type CallAnswer<C extends Call> = z.output<C['answer']>;
/** That, or a refusal where the call has any. */
export type CallResponse<C extends Call> =
  | CallAnswer<C>
  | (C['refusals'][number] extends never ? never : Refusal<C['refusals'][number]>);

/** Keeps the literal types of a call, and adds the refusals to what it may answer. */
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

/** A field nobody knows is a mistake of the sender: a filter that is not applied would look like an answer. */
export const strictRequest = ({ request }: Call): z.ZodType =>
  request instanceof z.ZodObject ? request.strict().meta(request.meta() ?? {}) : request;
