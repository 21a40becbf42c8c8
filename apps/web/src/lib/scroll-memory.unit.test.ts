// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest';
import { forgetPositionOf, SCROLL_STORAGE_KEY, scrollKeyOf } from './scroll-memory.ts';

beforeEach(() => sessionStorage.clear());

const stored = () => JSON.parse(sessionStorage.getItem(SCROLL_STORAGE_KEY) ?? 'null') as unknown;

it("the first page of a tab is identified by its address, all others by the router's key", () => {
  expect(scrollKeyOf({ key: 'default', pathname: '/matdata', search: '?q=Ti' })).toBe('/matdata?q=Ti');
  expect(scrollKeyOf({ key: 'k3x', pathname: '/matdata', search: '' })).toBe('k3x');
});

it('forgetting one address keeps the others', () => {
  sessionStorage.setItem(SCROLL_STORAGE_KEY, JSON.stringify({ '/a': 3000, k3x: 40 }));
  forgetPositionOf('/a');
  expect(stored()).toEqual({ k3x: 40 });
});

it.each([
  ['nothing', null],
  ['text', 'x{'],
  ['a number', '7'],
])('the scroll memory tolerates %s in the storage', (_, text) => {
  if (text !== null) sessionStorage.setItem(SCROLL_STORAGE_KEY, text);
  forgetPositionOf('/a');
  expect(sessionStorage.getItem(SCROLL_STORAGE_KEY)).toBe(text ?? '{}');
});

it('the scroll memory stores nothing and does not throw if storage is forbidden', () => {
  const forbidden = (): Storage => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  expect(() => forgetPositionOf('/a', forbidden)).not.toThrow();
});
