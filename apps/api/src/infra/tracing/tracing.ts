/**
 * Spans: what a process did, for how long, and within what. This file is the shape alone; what makes and sends them is loaded only
 * where a collector is named.
 */
import type { Logger } from 'pino';
import type { TelemetryConfig } from '../../config/telemetry.ts';

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface OpenSpan {
  /** For the lines of the log. */
  readonly traceId: string;
  /** Does work inside it: whatever begins meanwhile belongs to it, also after a wait. */
  inside<T>(work: () => T): T;
  set(attributes: SpanAttributes): void;
  /** It went wrong; `error` undefined says no more than that. */
  fail(error?: unknown): void;
  end(): void;
}

export interface SpanBegin {
  readonly name: string;
  readonly attributes?: SpanAttributes;
}

export interface Tracing {
  /** A request that came in; `parent` is its header `traceparent`. */
  request(begin: SpanBegin, parent: string | undefined): OpenSpan;
  /** Work of its own: a job. */
  job(begin: SpanBegin): OpenSpan;
  /** A call to another server, within a request or job; null: there is none, or it has been told of enough. */
  call(begin: SpanBegin): OpenSpan | null;
  /** Sends what is left. */
  close(): Promise<void>;
}

/** Loads the SDK and starts sending; null, and nothing loaded, where no collector is named. */
export async function startTracing(
  telemetry: TelemetryConfig | null,
  role: 'api' | 'worker',
  log: Logger,
): Promise<Tracing | null> {
  if (telemetry === null) return null;
  const { otlpTracing } = await import('./otlp-tracing.ts');
  return otlpTracing(telemetry, role, log);
}

/** Does a job inside a span of its own, where spans are wanted. */
export async function asJob<T>(
  tracing: Tracing | null,
  begin: SpanBegin,
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === null) return work();
  const span = tracing.job(begin);
  try {
    return await span.inside(work);
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}
