import { calls } from '@unitcell/contract';
import { expect, it } from 'vitest';
import { statusOf } from '../http/errors.ts';
import { isMessageKey } from '../messages/messages.ts';

it.each([...calls])(
  '$name lists only codes that are messages and are answered with 200, each once',
  ({ refusals }) => {
    expect(refusals.filter((code) => !isMessageKey(code) || statusOf(code) !== 200)).toEqual([]);
    expect(new Set(refusals).size).toBe(refusals.length);
  },
);
