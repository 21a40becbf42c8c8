/** Test files of a worker share one window: each file begins with an empty one, and each test leaves no component. */
import { cleanup } from '@testing-library/react';
import { afterEach, beforeAll } from 'vitest';

beforeAll(() => {
  if (typeof window === 'undefined') return;
  history.replaceState(null, '', '/');
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
});

afterEach(cleanup);
