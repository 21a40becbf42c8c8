/** What calls answer beside 200: each status with the codes it may come with, shared where calls agree. */
import { problem } from '@unitcell/contract/common';
import type { Call, FileAddress } from '@unitcell/contract/define-call';
import { z } from 'zod';
import { messageKey, translator } from '../../messages/messages.ts';
import { statusOf } from '../errors.ts';

export type Json = Record<string, unknown>;

const SAYS_WHEN: ReadonlySet<number> = new Set([429, 503]);
const english = translator('en');

/** Statuses every call may answer. */
const OURS = ['server.failed', 'server.busy', 'server.disk-full'] as const;
const SIGN_IN = ['auth.missing', 'auth.invalid', 'auth.expired', 'auth.scope', 'request.too-many'] as const;
const BODY = ['request.invalid', 'request.not-json', 'request.media-type', 'request.too-large'] as const;

/** Codes of a call that have a status of their own. */
export function faultsOf(call: Call): readonly string[] {
  const { access, body, calculates, faults = [] } = call;
  return [
    ...OURS,
    ...(access === 'user' ? SIGN_IN : []),
    ...(body === 'none' ? [] : BODY),
    ...(typeof body === 'object' ? ['request.not-multipart', 'server.too-costly'] : []),
    ...(calculates ? ['request.too-many', 'server.too-costly'] : []),
    ...faults,
  ];
}

/** The same of a file: what a call answers with 200 and `error: "true"` is 422 there, since 200 is the file. */
export const faultsOfFile = ({ calculates }: FileAddress): readonly string[] => [
  ...OURS,
  ...SIGN_IN,
  'request.invalid',
  'request.not-found',
  'material.not-found',
  'material.no-given-cell',
  'material.shared-sites',
  ...(calculates ? ['server.too-costly'] : []),
];

/** Values stand in braces. */
const sentence = (code: string): string =>
  `\`${code}\`: ${english(messageKey(code)).replaceAll(/\{\{(\w+)\}\}/g, '{$1}')}`;

function response(status: number, codes: readonly string[]): Json {
  const schema = {
    allOf: [
      { $ref: '#/components/schemas/Problem' },
      {
        type: 'object',
        properties: { code: { description: 'The situation, for programs.', enum: codes } },
        required: ['code'],
      },
    ],
  };
  return {
    description: codes.map(sentence).join('\n\n'),
    ...(SAYS_WHEN.has(status)
      ? { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } }
      : {}),
    content: { 'application/json': { schema } },
  };
}

/**
 * Responses by status, as references to `shared`, which collects them: calls of a kind refuse alike. `statusOfCode` where a
 * code has another status than usual.
 */
export function refusalResponses(
  codes: readonly string[],
  shared: Json,
  statusOfCode = (code: string): number => statusOf(messageKey(code)),
): Json {
  const byStatus = new Map<number, Set<string>>();
  for (const code of codes) {
    const status = statusOfCode(code);
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  }
  return Object.fromEntries(
    [...byStatus].map(([status, set]) => {
      const all = [...set].sort();
      const name = [status, ...all].join('_');
      shared[name] ??= response(status, all);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

const { $schema: _dialect, ...problemSchema } = z.toJSONSchema(problem) as Json;
export { problemSchema };

export const refusalHeaders: Json = {
  RetryAfter: {
    description: 'Seconds after which the request may be made again',
    schema: { type: 'integer', minimum: 1 },
  },
};
