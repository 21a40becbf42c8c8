/**
 * Spans record the actions of a process, their durations and their nesting. The implementation is loaded only
 * if a collector is configured.
 */
import { AsyncResource } from 'node:async_hooks';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { TelemetryConfig } from '../../config/telemetry.ts';
import type { OpenSpan, SpanBegin, Tracing } from './otlp-tracing.ts';

// Every statement of a request or job becomes a span with its text, never with parameter values.

/** Longest recorded statement text; longer statements are lists of columns. */
const MAX_CHARACTERS = 2_000;

type Query = (...args: unknown[]) => unknown;
type Callback = (error: (Error & { code?: string }) | null | undefined, result?: unknown) => void;

interface Statement {
  readonly text: string;
  /** Name of a prepared statement. */
  readonly name?: string | undefined;
}

/** The statement; null for cursors and COPY, whose end is reported only to the code that reads them. */
function statementOf(asked: unknown): Statement | null {
  if (typeof asked === 'string') return { text: asked };
  if (typeof asked !== 'object' || asked === null || 'submit' in asked) return null;
  const { text, name } = asked as { text?: unknown; name?: unknown };
  if (typeof text !== 'string') return null;
  return { text, name: typeof name === 'string' ? name : undefined };
}

const operationOf = (text: string): string => (/[a-z]+/i.exec(text)?.[0] ?? 'SQL').toUpperCase();

function ended(span: OpenSpan, error: unknown, result?: unknown): void {
  const { rowCount } = (result ?? {}) as { rowCount?: number | null };
  if (typeof rowCount === 'number') span.set({ 'db.response.returned_rows': rowCount });
  if (error) {
    const { code } = error as { code?: unknown };
    if (typeof code === 'string') span.set({ 'db.response.status_code': code });
    span.fail(error);
  }
  span.end();
}

function traced(query: Query, tracing: Tracing): Query {
  return (...args) => {
    const statement = statementOf(args[0]);
    if (!statement) return query(...args);
    const operation = operationOf(statement.text);
    const span = tracing.call({
      name: statement.name ?? operation,
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
        'db.query.text': statement.text.slice(0, MAX_CHARACTERS),
      },
    });
    if (!span) return query(...args);
    const last = args.at(-1);
    if (typeof last === 'function') {
      const callback = last as Callback;
      const withEnd: Callback = (error, result) => {
        ended(span, error, result);
        callback(error, result);
      };
      return query(...args.slice(0, -1), withEnd);
    }
    const answered = query(...args) as Promise<unknown>;
    answered.then(
      (result) => ended(span, null, result),
      (error: unknown) => ended(span, error),
    );
    return answered;
  };
}

export function traceSql(pool: pg.Pool, tracing: Tracing): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as Query;
    client.query = traced(query, tracing) as typeof client.query;
  });
  // The request that releases a connection also runs the callback of the next waiting caller. `bind` keeps that
  // callback in the async context of its own request.
  const connect = pool.connect.bind(pool) as Query;
  pool.connect = ((callback?: (...args: unknown[]) => void) =>
    callback ? connect(AsyncResource.bind(callback)) : connect()) as typeof pool.connect;
}

/** Loads the SDK and starts sending; without a configured collector it loads nothing and returns null. */
export async function startTracing(
  telemetry: TelemetryConfig | null,
  role: 'api' | 'worker',
  log: Logger,
): Promise<Tracing | null> {
  if (telemetry === null) return null;
  const { otlpTracing } = await import('./otlp-tracing.ts');
  return otlpTracing(telemetry, role, log);
}

/** Runs a job inside its own span if tracing is on. */
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
