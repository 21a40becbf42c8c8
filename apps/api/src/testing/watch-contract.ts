/** Holds every answer a test gets against the contract: what comes with status 200 is what the call says it answers. */
import { calls } from '@unitcell/contract';
import type { FastifyInstance } from 'fastify';

const byName = new Map(calls.map((call) => [call.name, call]));

/** Begins to watch; the returned function throws when an answer was not in the contract. Before `app.ready()`. */
export function watchContract(app: FastifyInstance): () => void {
  const broken: string[] = [];
  app.addHook('onSend', async (request, reply, payload) => {
    const call = byName.get(request.routeOptions.schema?.operationId ?? '');
    if (!call || reply.statusCode !== 200 || typeof payload !== 'string' || call.answerType) return;
    const { error } = call.response.safeParse(JSON.parse(payload));
    if (error) broken.push(`${call.name} answered ${payload.slice(0, 300)}`);
  });
  return () => {
    if (broken.length > 0)
      throw new Error(`answers that the contract does not describe:\n${broken.join('\n')}`);
  };
}
