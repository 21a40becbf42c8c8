/** Common properties of the calls of the operator's page: only administrators may call them. */
import { z } from 'zod';
import type { CallAddress } from '../calls.ts';
import { outcome, rowId, defineCall } from '../common.ts';

export const count = z.int().nonnegative();
export const none = z.object({});
const one = z.object({ id: rowId });

interface OperateCall<Request extends z.ZodType, Answer extends z.ZodType, Code extends string> {
  readonly summary: string;
  readonly request: Request;
  readonly answer: Answer;
  readonly refusals?: readonly Code[];
  readonly maxBodyBytes?: number;
}

/** A call of the operator's page. It may return `operate.administrators-only` (403) and `operate.not-found` (404). */
export const operateCall = <
  Request extends z.ZodType,
  Answer extends z.ZodType,
  const Code extends string = never,
>(
  address: CallAddress,
  call: OperateCall<Request, Answer, Code>,
) =>
  defineCall(address, {
    ...call,
    access: 'administrator',
    faults: ['operate.administrators-only', 'operate.not-found'],
  });

/** A call that acts on one entry and returns only that it succeeded. */
export const actOnOne = <const Code extends string = never>(
  address: CallAddress,
  call: Pick<OperateCall<typeof one, typeof outcome, Code>, 'summary' | 'refusals'>,
) => operateCall(address, { ...call, request: one, answer: outcome });
