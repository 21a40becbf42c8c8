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
  /** A request and its answer, shown in the OpenAPI document. */
  readonly example?: { readonly request?: z.input<Request>; readonly response?: z.input<Response> };
}

export type CallRequest<C extends Call> = z.input<C['request']>;
export type CallResponse<C extends Call> = z.output<C['response']>;

/** Keeps the literal types of a call. */
export const defineCall = <Request extends z.ZodType, Response extends z.ZodType>(
  call: Call<Request, Response>,
): Call<Request, Response> => call;
