/** Binds a call of the contract to a handler: path, validation, access and serialisation come from the contract. */
import type { Call } from '@unitcell/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Translate } from '../messages/messages.ts';
import type { Identity } from './auth.ts';
import { translatorOf } from './errors.ts';
import { type PackedJson, sendPacked } from './packed-json.ts';

export interface CallInput<C extends Call> {
  readonly body: z.output<C['request']>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly t: Translate;
}

/** A JSON text that is ready to be sent: for answers too large to walk through a schema. */
export class RawJson {
  /** Text that is made for one answer, or what is kept for many. */
  constructor(readonly content: string | PackedJson) {}
}

type Answer<C extends Call> = z.input<C['response']> | RawJson;

type Handler<C extends Call> = (
  input: CallInput<C> & (C['access'] extends 'public' ? object : { readonly identity: Identity }),
) => Promise<Answer<C>>;

const DEFAULT_BODY_BYTES = 64 * 1024;

/**
 * Registers `call` on `app`. A call for users gets the caller's identity; without a valid token its handler is never
 * reached. Uploads reach their handler unparsed: read them with `request.file()`.
 */
export function serveCall<C extends Call>(app: FastifyInstance, call: C, handler: Handler<C>): void {
  const takesJson = call.body === 'json';
  app.route({
    method: call.method,
    url: call.path,
    bodyLimit:
      typeof call.body === 'object' ? call.body.maxBytes + 4096 : (call.maxBodyBytes ?? DEFAULT_BODY_BYTES),
    schema: {
      operationId: call.name,
      summary: call.summary,
      tags: [call.group],
      ...(takesJson ? { body: call.request } : {}),
      response: { 200: call.response },
    },
    ...(call.access === 'user' ? { onRequest: app.requireIdentity } : {}),
    handler: async (request, reply) => {
      const input = {
        body: (takesJson ? request.body : undefined) as z.output<C['request']>,
        request,
        reply,
        t: translatorOf(request),
        identity: request.identity,
      };
      const answer = await handler(input as unknown as Parameters<Handler<C>>[0]);
      if (answer instanceof RawJson) {
        const { content } = answer;
        if (typeof content === 'object') return sendPacked(request, reply, content);
        return reply.type('application/json; charset=utf-8').send(content);
      }
      return answer;
    },
  });
}
