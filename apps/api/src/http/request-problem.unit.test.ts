import { describe, expect, it } from 'vitest';
import { zeroByteIn } from './request-problem.ts';

describe('zeroByteIn', () => {
  it.each([
    ['\0', 'body'],
    [{ functional: 'P\0BE' }, 'functional'],
    [{ a: [1, { b: '\0' }] }, 'a.1.b'],
    [{ 'k\0': 1 }, 'body'],
    [{ a: { 'k\0': 1 } }, 'a'],
    [{ a: 'PBE', b: [null, 1, true] }, undefined],
    [undefined, undefined],
  ])('zeroByteIn(%j) is %s', (value, place) => {
    expect(zeroByteIn(value)).toBe(place);
  });

  it('zeroByteIn reads values nested far deeper than the stack', () => {
    const depth = 200_000;
    let value: unknown = '\0';
    for (let level = 0; level < depth; level++) value = [value];
    expect(zeroByteIn(value)?.length).toBe(2 * depth - 1);
  });
});
