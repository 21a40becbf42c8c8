import {
  dashboardHandle,
  MAX_UPLOAD_BYTES,
  run4uCancel,
  run4uDetail,
  run4uHandle,
  run4uResubmit,
  run4uSubmit,
  watchSubmissions,
} from '@unitcell/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Translate } from '../../messages/messages.ts';
import { AppError } from '../../plugins/app-error.ts';
import { RawJson, serveCall } from '../../plugins/serve-call.ts';
import type { SubmissionEvents } from './submission-events.ts';
import type { Submissions } from './submissions.service.ts';

/** Proxies close connections that say nothing; a comment now and then keeps them open. */
const KEEP_ALIVE_MILLISECONDS = 20_000;
/** A page that is gone without a word is noticed when this is over; it comes back by itself. */
const STREAM_MILLISECONDS = 30 * 60_000;

/** An empty message: the page says "Only CIF or VASP format file is valid !" (spec §8). */
const NOT_A_STRUCTURE = { error: 'true', message: '' } as const;

/** The one file of the request. */
async function uploadedFile(request: FastifyRequest): Promise<{ bytes: Buffer; name: string }> {
  if (!request.isMultipart()) throw new AppError('run4u.no-file');
  const part = await request.file({ limits: { fileSize: MAX_UPLOAD_BYTES, files: 1, fields: 10 } });
  if (!part || part.fieldname !== 'cif-file') throw new AppError('run4u.no-file');
  try {
    return { bytes: await part.toBuffer(), name: part.filename ?? '' };
  } catch {
    throw new AppError('run4u.too-large');
  }
}

interface Stream {
  readonly accountId: number;
  readonly t: Translate;
  readonly reply: FastifyReply;
}

/** Sends the dashboard now and after every change, until the page is closed. */
function streamDashboard(
  { accountId, t, reply }: Stream,
  service: Submissions,
  events: SubmissionEvents,
): void {
  const { raw } = reply.hijack();
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  let last = '';
  let isSending = false;
  let isDue = false;
  const send = async (): Promise<void> => {
    if (isSending) {
      isDue = true;
      return;
    }
    isSending = true;
    try {
      const text = JSON.stringify(await service.dashboard(accountId, t));
      if (text !== last && !raw.writableEnded) raw.write(`event: dashboard\ndata: ${text}\n\n`);
      last = text;
    } catch {
      // The database is away for a moment: the next change or the next refresh sends it.
    }
    isSending = false;
    if (isDue) {
      isDue = false;
      void send();
    }
  };
  const unsubscribe = events.subscribe(accountId, () => void send());
  const keepAlive = setInterval(() => raw.write(': still here\n\n'), KEEP_ALIVE_MILLISECONDS);
  const end = setTimeout(() => raw.end(), STREAM_MILLISECONDS);
  raw.on('close', () => {
    unsubscribe();
    clearInterval(keepAlive);
    clearTimeout(end);
  });
  void send();
}

export function run4uRoutes(app: FastifyInstance, service: Submissions, events: SubmissionEvents): void {
  const open = new Set<FastifyReply>();
  app.addHook('preClose', async () => open.forEach((reply) => reply.raw.end()));

  serveCall(app, run4uHandle, async ({ request }) => {
    const { bytes, name } = await uploadedFile(request);
    return (await service.readFile(bytes, name)) ?? NOT_A_STRUCTURE;
  });

  serveCall(app, run4uSubmit, ({ body, identity }) => service.submit(identity.accountId, body.structure));
  serveCall(app, run4uCancel, ({ body, identity }) => service.cancel(identity.accountId, body.id));
  serveCall(app, run4uResubmit, ({ body, identity }) => service.resubmit(identity.accountId, body.id));
  serveCall(
    app,
    run4uDetail,
    async ({ body, identity, t }) =>
      new RawJson(JSON.stringify(await service.detail(identity.accountId, body.id, t))),
  );
  serveCall(
    app,
    dashboardHandle,
    async ({ identity, t }) => new RawJson(JSON.stringify(await service.dashboard(identity.accountId, t))),
  );

  serveCall(app, watchSubmissions, async ({ identity, reply, t }) => {
    open.add(reply);
    reply.raw.on('close', () => open.delete(reply));
    streamDashboard({ accountId: identity.accountId, t, reply }, service, events);
    return '';
  });
}
