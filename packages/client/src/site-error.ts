/** Why there is no answer. */

export type SiteErrorKind = 'offline' | 'refused' | 'limited' | 'login' | 'missing' | 'broken';

export interface SiteErrorDetails {
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
  readonly errorId?: string | undefined;
  readonly retryAfter?: number | undefined;
}

/** The message is the sentence of the site, in the language asked for; empty when it said nothing. */
export class SiteError extends Error {
  override readonly name = 'SiteError' as const;
  readonly kind: SiteErrorKind;
  /** HTTP status; 200 for what people can mend, 0 when the server did not answer. */
  readonly status: number;
  /** Of the situation, for programs: `search.unknown-elements`. */
  readonly code: string | undefined;
  /** What is wrong with the token. */
  readonly detail: string | undefined;
  /** Quoted to the operator when the fault is the server's. */
  readonly errorId: string | undefined;
  /** Seconds to wait, where the server said so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, details: SiteErrorDetails = {}) {
    super(message);
    this.status = status;
    this.kind = kindOf(status, details.retryAfter);
    this.code = details.code;
    this.detail = details.detail;
    this.errorId = details.errorId;
    this.retryAfter = details.retryAfter;
  }
}

function kindOf(status: number, retryAfter: number | undefined): SiteErrorKind {
  if (status === 503 && retryAfter !== undefined) return 'limited';
  if (status === 0 || status === 502 || status === 503 || status === 504) return 'offline';
  if (status === 401) return 'login';
  if (status === 404) return 'missing';
  if (status === 429) return 'limited';
  return status >= 500 ? 'broken' : 'refused';
}
