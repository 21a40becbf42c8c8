// @vitest-environment happy-dom
import { act, cleanup, fireEvent, renderHook, screen, waitFor } from '@testing-library/react';
import type { SubmissionRow } from '@unitcell/contract/run4u';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { JobNotifications, useEndedSubmissions } from './ended-submissions.tsx';

let shown: string[];

function stubNotification(permission: NotificationPermission, answer: NotificationPermission = 'granted') {
  class FakeNotification {
    static permission = permission;
    static requestPermission = () => Promise.resolve((FakeNotification.permission = answer));
    constructor(title: string, { body = '' }: NotificationOptions = {}) {
      shown.push(`${title}: ${body}`);
    }
    addEventListener = () => undefined;
  }
  vi.stubGlobal('Notification', FakeNotification);
}

beforeEach(() => {
  shown = [];
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const finished = { id: 7, formula: 'TiO2', status: 'finished' } as SubmissionRow;

/** A job that ends when the button is clicked. */
function Page() {
  const [ended, setEnded] = useState<readonly SubmissionRow[]>([]);
  return (
    <>
      <button type="button" onClick={() => setEnded((now) => (now.length === 0 ? [finished] : [...now]))}>
        end
      </button>
      <JobNotifications hasWaiting={ended.length === 0} ended={ended} />
    </>
  );
}

it('the page asks for permission only when the visitor presses the button, and only once', async () => {
  stubNotification('default');
  await renderInApp(<Page />);
  fireEvent.click(screen.getByRole('button', { name: 'Notify me when a job ends' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /Notify me/ })).toBeNull());
});

it('the page shows one notification for a job that ends while the page is hidden', async () => {
  stubNotification('granted');
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  await renderInApp(<Page />);
  fireEvent.click(screen.getByRole('button', { name: 'end' }));
  fireEvent.click(screen.getByRole('button', { name: 'end' }));
  expect(shown).toEqual(['Unitcell: TiO₂: finished']);
});

it('the page shows no notification while it is visible, or without permission', async () => {
  stubNotification('granted');
  await renderInApp(<Page />);
  fireEvent.click(screen.getByRole('button', { name: 'end' }));
  cleanup();
  stubNotification('denied');
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  await renderInApp(<Page />);
  expect(screen.queryByRole('button', { name: /Notify me/ })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'end' }));
  expect(shown).toEqual([]);
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
