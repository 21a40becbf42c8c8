/**
 * One call of the API, described once: the server validates with it, the web client is typed by it and the OpenAPI
 * document is generated from it.
 */
import type { z } from 'zod';

/** Who may make a call: anybody, or somebody with a valid token. */
export type Access = 'public' | 'user';

/** How the request travels: JSON body, one uploaded file (multipart), or nothing. */
export type RequestBody = 'json' | 'none' | { readonly fileField: string; readonly maxBytes: number };

export interface Call<Request extends z.ZodType = z.ZodType, Response extends z.ZodType = z.ZodType> {
  /** Unique, camelCase; the OpenAPI operationId. */
  readonly name: string;
  readonly group: string;
  readonly method: 'GET' | 'POST';
  /** With its trailing slash. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  readonly body: RequestBody;
  readonly request: Request;
  readonly response: Response;
  /** Bytes a JSON body may have; 64 KiB when absent. */
  readonly maxBodyBytes?: number;
  /** What the answer is when it is not JSON. */
  readonly answerType?: 'text/event-stream';
  /** A request and its answer, shown in the OpenAPI document; a call without JSON body has no request to show. */
  readonly example?: CallExample<Request, Response>;
}

export interface CallExample<Request extends z.ZodType, Response extends z.ZodType> {
  readonly request?: DeepReadonly<z.input<Request>>;
  readonly response?: DeepReadonly<z.input<Response>>;
}

/** So that an example may be written as a constant. */
type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

export type CallRequest<C extends Call> = z.input<C['request']>;
export type CallResponse<C extends Call> = z.output<C['response']>;

/** Keeps the literal types of a call. */
export const defineCall = <Request extends z.ZodType, Response extends z.ZodType>(
  call: Call<Request, Response>,
): Call<Request, Response> => call;
