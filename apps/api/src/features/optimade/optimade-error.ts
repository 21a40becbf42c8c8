/** A refusal as JSON:API has it: status, a title and a sentence. OPTIMADE is English. */
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
  // The specification's own (4.1).
  553: 'Version Not Supported',
} as const;

export type OptimadeStatus = keyof typeof TITLES;

export class OptimadeError extends Error {
  override readonly name = 'OptimadeError';
  constructor(
    readonly status: OptimadeStatus,
    detail: string,
    /** The parameter of the query it is about. */
    readonly parameter?: string,
    /** When it is worth trying again; 0 where that is not known. */
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
