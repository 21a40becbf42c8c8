/** What all calls of the operator's page have in common: one prefix, and administrators alone. */
import type { z } from 'zod';
import { defineCall } from '../define-call.ts';

interface OperateCall<Request extends z.ZodType, Answer extends z.ZodType, Code extends string> {
  readonly name: string;
  /** Below /api/operate/. */
  readonly path: string;
  readonly summary: string;
  readonly request: Request;
  readonly answer: Answer;
  readonly refusals?: readonly Code[];
  readonly maxBodyBytes?: number;
}

/** A call of the page; it may answer `operate.administrators-only` (403) and `operate.not-found` (404). */
export const operateCall = <
  Request extends z.ZodType,
  Answer extends z.ZodType,
  const Code extends string = never,
>({
  path,
  refusals = [],
  ...rest
}: OperateCall<Request, Answer, Code>) =>
  defineCall({
    ...rest,
    group: 'operate',
    method: 'POST',
    path: `/api/operate/${path}/`,
    access: 'administrator',
    body: 'json',
    refusals,
    faults: ['operate.administrators-only', 'operate.not-found'],
  });
