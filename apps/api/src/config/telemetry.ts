/** OTEL_…: where spans are sent. Resource attributes, headers and what else OpenTelemetry names its own SDK reads by itself. */

export interface TelemetryConfig {
  /** The collector, for OTLP over HTTP; `/v1/traces` is added. */
  readonly endpoint: string;
  /** Share of the requests and jobs that are told of, 0 to 1. */
  readonly share: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** null: nothing is measured, loaded or sent. */
export function readTelemetry(env: Environment, problems: string[]): TelemetryConfig | null {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim() ?? '';
  if (endpoint === '' || env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return null;
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    problems.push(
      `OTEL_EXPORTER_OTLP_ENDPOINT is "${endpoint}": expected an address like http://collector.example.org:4318`,
    );
  const protocol = env.OTEL_EXPORTER_OTLP_PROTOCOL?.trim() ?? '';
  if (protocol === 'grpc')
    problems.push(
      'OTEL_EXPORTER_OTLP_PROTOCOL is "grpc": spans are sent over HTTP; name the port of the collector for HTTP, usually 4318',
    );
  const typed = env.OTEL_TRACES_SAMPLER_ARG?.trim() || '1';
  const share = Number(typed);
  if (!(share >= 0 && share <= 1))
    problems.push(`OTEL_TRACES_SAMPLER_ARG is "${typed}": expected a share from 0 to 1`);
  return { endpoint: endpoint.replace(/\/+$/, ''), share };
}
