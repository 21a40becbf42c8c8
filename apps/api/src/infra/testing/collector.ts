/** A span collector for tests: accepts OTLP over HTTP as JSON on a loopback port and stores it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly boolValue?: boolean;
}
type Attributes = readonly { readonly key: string; readonly value: Value }[];

/** Spans in the wire format. */
interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly status: { readonly code: number };
  readonly attributes: Attributes;
}

export interface CollectedSpan extends Omit<SentSpan, 'attributes'> {
  readonly attributes: Readonly<Record<string, string | boolean | undefined>>;
  /** The process that sent the span. */
  readonly resource: Readonly<Record<string, string | boolean | undefined>>;
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

const read = (attributes: Attributes) =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, boolValue } }) => [
      key,
      stringValue ?? boolValue ?? (intValue === undefined ? undefined : String(intValue)),
    ]),
  );

export interface Collector {
  readonly endpoint: string;
  readonly spans: CollectedSpan[];
  /** Raw bodies of all requests. */
  readonly bodies: string[];
  /** Paths and content types of all requests. */
  readonly asked: string[];
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const collected: Pick<Collector, 'spans' | 'bodies' | 'asked'> = { spans: [], bodies: [], asked: [] };
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    collected.asked.push(`${request.method} ${request.url} ${request.headers['content-type']}`);
    collected.bodies.push(body);
    for (const { resource, scopeSpans } of (JSON.parse(body) as Sent).resourceSpans)
      for (const span of scopeSpans.flatMap(({ spans }) => spans))
        collected.spans.push({
          ...span,
          attributes: read(span.attributes),
          resource: read(resource.attributes),
        });
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  };
  const server = createServer((request, response) => void receive(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...collected,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
