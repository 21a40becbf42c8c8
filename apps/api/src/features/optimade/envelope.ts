/** The envelope of every response: data, links and meta (5.3 of the specification). */
import type { FastifyRequest } from 'fastify';

export const API_VERSION = '1.2.0';
const PREFIX = 'unitcell';

/** Base URL without a version, at which clients find the newest version. */
export const UNVERSIONED_BASE = '/optimade';
export const BASES = ['/optimade/v1', '/optimade/v1.2', '/optimade/v1.2.0'] as const;

interface MetaFacts {
  readonly dataReturned?: number;
  readonly dataAvailable?: number;
  readonly isMore?: boolean;
  readonly lastId?: string;
  readonly warnings?: readonly string[];
}

/** @param publicUrl address of the site; @param version version of this program */
export function envelopes(publicUrl: string, version: string) {
  const provider = {
    name: 'Unitcell',
    description: 'A self-hosted materials database with analysis tools',
    prefix: PREFIX,
    homepage: publicUrl,
  };
  const metaOf = ({ url }: FastifyRequest, facts: MetaFacts = {}) => ({
    query: { representation: url.replace(/^\/optimade(\/v[\d.]+)?/, '') || '/' },
    api_version: API_VERSION,
    more_data_available: facts.isMore ?? false,
    schema: 'https://schemas.optimade.org/openapi/v1.2/optimade.json',
    time_stamp: new Date().toISOString(),
    ...(facts.dataReturned === undefined ? {} : { data_returned: facts.dataReturned }),
    ...(facts.dataAvailable === undefined ? {} : { data_available: facts.dataAvailable }),
    ...(facts.lastId === undefined ? {} : { last_id: facts.lastId }),
    provider,
    implementation: { name: 'Unitcell', version, homepage: publicUrl },
    ...(facts.warnings?.length
      ? { warnings: facts.warnings.map((detail) => ({ type: 'warning', detail })) }
      : {}),
  });
  return {
    provider,

    data(request: FastifyRequest, data: unknown, facts?: MetaFacts, more: object = {}) {
      return { data, ...more, meta: metaOf(request, facts) };
    },

    /** Returns the address of the same request with another cursor. */
    next(request: FastifyRequest, cursor: string): string {
      const url = new URL(request.url, publicUrl);
      url.searchParams.set('page_cursor', cursor);
      return url.href;
    },

    errors: (request: FastifyRequest, error: OptimadeError) => ({
      errors: [error.toJson()],
      meta: metaOf(request),
    }),
  };
}

export type Envelopes = ReturnType<typeof envelopes>;

// ── Errors as in JSON:API: status, title and a sentence, in English like all of OPTIMADE ──

const TITLES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  // Defined by OPTIMADE (4.1).
  553: 'Version Not Supported',
} as const;

type OptimadeStatus = keyof typeof TITLES;

export class OptimadeError extends Error {
  override readonly name = 'OptimadeError';
  constructor(
    readonly status: OptimadeStatus,
    detail: string,
    /** The query parameter that caused the error. */
    readonly parameter?: string,
    /** Seconds until a retry may succeed; 0 where unknown. */
    readonly retryAfterSeconds = 0,
  ) {
    super(detail);
  }

  toJson() {
    return {
      status: String(this.status),
      title: TITLES[this.status],
      detail: this.message,
      ...(this.parameter === undefined ? {} : { source: { parameter: this.parameter } }),
    };
  }
}

export const optimadeStatus = (status: number): OptimadeStatus =>
  status in TITLES ? (status as OptimadeStatus) : status >= 500 ? 500 : 400;
