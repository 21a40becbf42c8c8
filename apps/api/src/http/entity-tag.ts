/**
 * Tags of answers (RFC 9110 §8.8.3). They are weak: the same answer is sent plain, by gzip and by brotli, and a strong tag
 * would have to differ between these.
 */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

export const weakTag = (content: string | Uint8Array): string =>
  `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Whether `If-None-Match` names the tag, by weak comparison. */
export const isKnown = ({ headers }: FastifyRequest, tag: string): boolean =>
  (headers['if-none-match'] ?? '')
    .split(',')
    .some((known) => known.trim() === '*' || opaque(known) === opaque(tag));
