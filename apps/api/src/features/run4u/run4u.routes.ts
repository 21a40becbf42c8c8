import {
  dashboardHandle,
  run4uCancel,
  run4uDetail,
  run4uExpect,
  run4uHandle,
  run4uResubmit,
  run4uSubmit,
  watchSubmissions,
} from '@unitcell/contract';
import type { FastifyInstance } from 'fastify';
import { eventStreams } from '../../http/event-streams.ts';
import { oneAtATime } from '../../infra/one-at-a-time.ts';
import { RawJson, serveCall } from '../../http/serve-call.ts';
import type { SubmissionEvents } from './submission-events.ts';
import type { Submissions } from './submissions.service.ts';

/** An empty message: the page says "Only CIF or VASP format file is valid !" (spec §8). */
const NOT_A_STRUCTURE = { error: 'true', message: '' } as const;

export interface Run4uRoutes {
  readonly service: Submissions;
  readonly events: SubmissionEvents;
  /** Event streams one account may have open. */
  readonly streamsPerAccount: number;
}

export function run4uRoutes(app: FastifyInstance, { service, events, streamsPerAccount }: Run4uRoutes): void {
  const openStream = eventStreams(app, streamsPerAccount);

  serveCall(
    app,
    run4uHandle,
    async ({ file, t, asker }) =>
      (await service.readFile(file.bytes, file.name, t, asker)) ?? NOT_A_STRUCTURE,
  );

  serveCall(app, run4uSubmit, ({ body, identity, t, asker }) =>
    service.submit(identity.accountId, body.structure, t, asker),
  );
  serveCall(app, run4uExpect, ({ body, t, asker }) => service.expect(body.structure, t, asker));
  serveCall(app, run4uCancel, ({ body, identity }) => service.cancel(identity.accountId, body.id));
  serveCall(app, run4uResubmit, ({ body, identity, t, asker }) =>
    service.resubmit(identity.accountId, body.id, t, asker),
  );
  serveCall(
    app,
    run4uDetail,
    async ({ body, identity, t, asker }) =>
      new RawJson(JSON.stringify(await service.detail(identity.accountId, body.id, t, asker))),
  );
  serveCall(
    app,
    dashboardHandle,
    async ({ identity, t, asker }) =>
      new RawJson(JSON.stringify(await service.dashboard(identity.accountId, t, asker))),
  );

  // The dashboard now and after every change, until the page is closed.
  serveCall(app, watchSubmissions, async ({ identity: { accountId }, request, reply, t, asker }) => {
    const stream = openStream(request, reply);
    let last = '';
    const send = oneAtATime(async () => {
      // A database that is away for a moment, or a busy site: the next change or the next refresh sends it.
      const dashboard = await service.dashboard(accountId, t, asker).catch(() => null);
      const text = JSON.stringify(dashboard);
      if (dashboard !== null && text !== last) stream.send('dashboard', text);
      last = dashboard === null ? last : text;
    });
    stream.onClose(events.subscribe(accountId, send));
    send();
    return '';
  });
}
