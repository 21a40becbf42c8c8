// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest';
import { forgetPositionOf, SCROLL_STORAGE_KEY, scrollKeyOf } from './scroll-memory.ts';

beforeEach(() => sessionStorage.clear());

const stored = () => JSON.parse(sessionStorage.getItem(SCROLL_STORAGE_KEY) ?? 'null') as unknown;

it('first pages of a tab have their own address as name, all others that of the router', () => {
  expect(scrollKeyOf({ key: 'default', pathname: '/matdata', search: '?q=Ti' })).toBe('/matdata?q=Ti');
  expect(scrollKeyOf({ key: 'k3x', pathname: '/matdata', search: '' })).toBe('k3x');
});

it('forgets the one address and keeps the others', () => {
  sessionStorage.setItem(SCROLL_STORAGE_KEY, JSON.stringify({ '/a': 3000, k3x: 40 }));
  forgetPositionOf('/a');
  expect(stored()).toEqual({ k3x: 40 });
});

it.each([
  ['nothing', null],
  ['text', 'x{'],
  ['a number', '7'],
])('lives with %s in the storage', (_, text) => {
  if (text !== null) sessionStorage.setItem(SCROLL_STORAGE_KEY, text);
  forgetPositionOf('/a');
  expect(sessionStorage.getItem(SCROLL_STORAGE_KEY)).toBe(text ?? '{}');
});

it('remembers nothing, and throws nothing, where storage is forbidden', () => {
  const forbidden = (): Storage => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  expect(() => forgetPositionOf('/a', forbidden)).not.toThrow();
});
