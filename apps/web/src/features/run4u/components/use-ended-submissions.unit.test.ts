// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import type { SubmissionRow } from '@unitcell/contract/run4u';
import { afterEach, expect, it } from 'vitest';
import { useEndedSubmissions } from './ended-submissions.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const rowsOf = (statuses: Readonly<Record<number, SubmissionRow['status']>>): readonly SubmissionRow[] =>
  Object.entries(statuses).map(([id, status]) => ({ id: Number(id), status }) as SubmissionRow);

const watch = (rows: readonly SubmissionRow[]) =>
  renderHook((now: readonly SubmissionRow[]) => useEndedSubmissions(now), { initialProps: rows });

it('the notice lists a submission that ends while the page is open, until the notice is closed', () => {
  const { result, rerender } = watch(rowsOf({ 1: 'finished', 2: 'running', 3: 'queued' }));
  expect(result.current.rows).toEqual([]);
  rerender(rowsOf({ 1: 'finished', 2: 'finished', 3: 'running' }));
  expect(result.current.rows.map(({ id }) => id)).toEqual([2]);
  act(() => result.current.clear());
  expect(result.current.rows).toEqual([]);
});

it('the notice lists a submission that ended while the page was closed, unless it was cancelled', () => {
  watch(rowsOf({ 1: 'queued', 2: 'queued' })).unmount();
  const { result } = watch(rowsOf({ 1: 'failed', 2: 'cancelled' }));
  expect(result.current.rows.map(({ id }) => id)).toEqual([1]);
});
