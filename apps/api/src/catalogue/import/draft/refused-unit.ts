/** A source unit that cannot become a material; the message names the cause. */
import type { z } from 'zod';

export class RefusedUnit extends Error {
  override readonly name = 'RefusedUnit';
}

/** The first error of a schema, as `path: message`. */
export function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  const path = issue?.path.join('.') ?? '';
  return `${path === '' ? 'line' : path}: ${issue?.message ?? 'invalid'}`;
}
