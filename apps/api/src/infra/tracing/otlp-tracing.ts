/** Spans by OpenTelemetry's SDK, sent as OTLP (JSON over HTTP). Loaded only if a collector is configured. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  detectResources,
  envDetector,
  hostDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import pg from 'pg';
import type { Logger } from 'pino';
import type { TelemetryConfig } from '../../config/telemetry.ts';
import { waitUpTo, ownVersion } from '../process.ts';

type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface OpenSpan {
  /** Id of the trace for log lines. */
  readonly traceId: string;
  /** Runs work inside the span. Everything that the work starts belongs to the span, also after an await. */
  inside<T>(work: () => T): T;
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed; `error` may be unknown. */
  fail(error?: unknown): void;
  end(): void;
}

export interface SpanBegin {
  readonly name: string;
  readonly attributes?: SpanAttributes;
}

export interface Tracing {
  /** An incoming request; `parent` is its `traceparent` header. */
  request(begin: SpanBegin, parent: string | undefined): OpenSpan;
  /** Independent work: a job. */
  job(begin: SpanBegin): OpenSpan;
  /**
   * A call to another server within a request or job; null if none is active or its limit of calls is reached.
   */
  call(begin: SpanBegin): OpenSpan | null;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

/** Largest number of recorded calls per request or job, because some jobs have a million statements. */
const MAX_CALLS = 500;
/** Longest wait for the collector when a process stops. */
const CLOSE_MILLISECONDS = 3_000;

/** The current span and the number of calls of its request or job so far. */
interface Scope {
  readonly context: Context;
  readonly calls: { count: number };
}

/** Logs an outage of the collector once, and its return once. */
function loggingOutages(exporter: SpanExporter, endpoint: string, log: Logger): SpanExporter {
  let isAway = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS;
        if (failed && !isAway)
          log.warn(
            { err: result.error },
            `the collector ${endpoint} (OTEL_EXPORTER_OTLP_ENDPOINT) rejects spans: they are lost until it accepts them`,
          );
        if (!failed && isAway) log.info(`the collector ${endpoint} accepts spans again`);
        isAway = failed;
        done(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

export async function otlpTracing(
  { endpoint, share }: TelemetryConfig,
  role: 'api' | 'worker',
  log: Logger,
): Promise<Tracing> {
  const ratio = new TraceIdRatioBasedSampler(share);
  const provider = new TracerProvider({
    // OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME override these values.
    resource: resourceFromAttributes({
      'service.name': `unitcell-${role}`,
      'service.version': await ownVersion(),
    }).merge(detectResources({ detectors: [hostDetector, serviceInstanceIdDetector, envDetector] })),
    // A client may choose the trace id, but not whether the trace is sampled.
    sampler: new ParentBasedSampler({
      root: ratio,
      remoteParentSampled: ratio,
      remoteParentNotSampled: ratio,
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: loggingOutages(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }), endpoint, log),
      }),
    ],
  });
  const tracer = provider.getTracer('unitcell');
  const under = new AsyncLocalStorage<Scope>();

  function open(span: Span, scope: Scope): OpenSpan {
    return {
      traceId: span.spanContext().traceId,
      inside: (work) => under.run(scope, work),
      set: (attributes) => void span.setAttributes(attributes),
      fail(error) {
        // A message of PostgreSQL can quote values of the statement; its code is an attribute of the span.
        const isShown = error instanceof Error && !(error instanceof pg.DatabaseError);
        span.setStatus({ code: SpanStatusCode.ERROR, ...(isShown ? { message: error.message } : {}) });
        if (isShown) span.recordException(error);
      },
      end: () => span.end(),
    };
  }

  function root(kind: SpanKind, { name, attributes = {} }: SpanBegin, parent: Context): OpenSpan {
    const span = tracer.startSpan(name, { kind, attributes }, parent);
    const calls = { count: 0 };
    const opened = open(span, { context: trace.setSpan(parent, span), calls });
    return {
      ...opened,
      end() {
        if (calls.count > MAX_CALLS) span.setAttribute('unitcell.calls_left_out', calls.count - MAX_CALLS);
        opened.end();
      },
    };
  }

  return {
    request(begin, parent) {
      const remote = parent === undefined ? null : parseTraceParent(parent);
      return root(
        SpanKind.SERVER,
        begin,
        remote === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true }),
      );
    },
    job: (begin) => root(SpanKind.CONSUMER, begin, ROOT_CONTEXT),
    call({ name, attributes = {} }) {
      const scope = under.getStore();
      if (scope === undefined || ++scope.calls.count > MAX_CALLS) return null;
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, scope.context);
      return open(span, { ...scope, context: trace.setSpan(scope.context, span) });
    },
    close: () => waitUpTo(CLOSE_MILLISECONDS, provider.shutdown()),
  };
}
