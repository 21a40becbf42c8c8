// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { SubmissionRow } from '@unitcell/contract/run4u';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { JobNotifications } from './ended-submissions.tsx';

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
