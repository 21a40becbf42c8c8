/** Limits and lists of the operator calls that the web client shares with the server, without schemas. */

export const ACCOUNT_ROLES = ['common', 'internal', 'administrator'] as const;

/** Largest daily limit of submissions for an account. */
export const MAX_DAILY_LIMIT = 1000;

export const CONTENT_SLUGS = ['about', 'terms', 'privacy'] as const;

export const CONTENT_LOCALES = ['zh', 'en'] as const;

export const JOB_STATES = ['active', 'waiting', 'delayed', 'failed', 'completed'] as const;

/** Largest number of backups kept. */
export const MOST_BACKUPS_KEPT = 366;

export const REPORT_STATES = ['open', 'answered'] as const;

export const SUBMISSION_STATES = ['queued', 'running', 'finished', 'existed', 'failed', 'cancelled'] as const;
