import { notifications } from '@mantine/notifications';
import { fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { storeToken } from '../../lib/session.ts';
import { renderInApp } from '../../testing/render.tsx';
import { serve } from '../../testing/serve.ts';
import { InviteDialog } from './components/invite-dialog.tsx';
import { ConfirmDialog } from './components/shared.tsx';
import { AuditPanel } from './panels/audit-panel.tsx';
import fc from 'fast-check';
import { patternOf, timesOf } from './panels/backups-panel.tsx';

async function open() {
  const [confirm, close] = [vi.fn<() => void>(), vi.fn<() => void>()];
  await renderInApp(
    <ConfirmDialog
      title="Delete"
      question="Delete the backup of Monday?"
      doLabel="Delete it"
      onConfirm={confirm}
      onClose={close}
    />,
  );
  expect(await screen.findByRole('dialog', { name: 'Delete' })).toBeDefined();
  return { confirm, close, user: userEvent.setup() };
}

it('the dialog confirms only by its confirm button', async () => {
  const { confirm, close, user } = await open();
  await user.click(screen.getByRole('button', { name: 'Delete it' }));
  expect(confirm).toHaveBeenCalledOnce();
  expect(close).not.toHaveBeenCalled();
});

it('Escape, the close button and Cancel change nothing', async () => {
  const { confirm, close, user } = await open();
  await user.keyboard('{Escape}');
  for (const button of screen.getAllByRole('button'))
    if (button.textContent !== 'Delete it') await user.click(button);
  expect(close).toHaveBeenCalledTimes(3);
  expect(confirm).not.toHaveBeenCalled();
});

it('a link that the browser does not copy is not reported as copied', async () => {
  serve({
    '/operate/invite/': { error: 'false', message: '', id: 7, link: 'https://a.example/#b', hours: 72 },
  });
  const said = vi.spyOn(notifications, 'show');
  await renderInApp(<InviteDialog id={7} onClose={() => undefined} />);
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));
  await user.click(await screen.findByRole('button', { name: 'Create link' }));
  await user.click(await screen.findByRole('button', { name: 'Copy' }));
  await expect.poll(() => said.mock.lastCall?.[0].message).toMatch(/select the link/);
});

describe('the audit log', () => {
  beforeEach(() => {
    vi.stubEnv('TZ', 'Asia/Shanghai');
    storeToken('eyJ');
  });
  afterEach(() => {
    storeToken(null);
    vi.unstubAllEnvs();
  });

  it('begins a day at midnight where the reader is', async () => {
    const sent = serve({
      '/operate/audit/': { error: 'false', message: '', rows: [], events: [], has_more: false },
    });
    await renderInApp(<AuditPanel />);
    fireEvent.change(await screen.findByLabelText('Since'), { target: { value: '2026-11-28' } });
    // China is eight hours ahead of UTC.
    await expect.poll(() => sent.at(-1)).toMatchObject({ since: '2026-11-27T16:00:00.000Z' });
  });
});

it('the audit log names known details, and shows unknown ones unchanged', async () => {
  storeToken('eyJ');
  const detail = { secondFactor: true, fromLater: 7 };
  const row = { id: '1', at: '2026-11-28T00:00:00Z', event: 'login', address: '', detail };
  const nobody = { account_id: null, account: null, actor_id: null, actor: null };
  serve({
    '/operate/audit/': {
      error: 'false',
      message: '',
      rows: [{ ...row, ...nobody }],
      events: [],
      has_more: false,
    },
  });
  await renderInApp(<AuditPanel />);
  const shown = await screen.findByText(/fromLater: 7/);
  expect(shown.textContent).toBe('two-factor authentication: true, fromLater: 7');
  storeToken(null);
});

describe('times of backups', () => {
  it.each([
    [null, { often: 'never' }],
    ['15 2 * * *', { often: 'daily', time: '02:15' }],
    ['0 23 * * 0', { often: 'weekly', time: '23:00', weekday: 0 }],
    // cron has two names for Sunday
    ['5 4 * * 7', { often: 'weekly', time: '04:05', weekday: 0 }],
    ['*/30 * * * *', { often: 'cron', cron: '*/30 * * * *' }],
    ['15 2 1 * *', { often: 'cron', cron: '15 2 1 * *' }],
    ['61 2 * * *', { often: 'cron', cron: '61 2 * * *' }],
    ['15 24 * * *', { often: 'cron', cron: '15 24 * * *' }],
    ['15 2 * * 1-5', { often: 'cron', cron: '15 2 * * 1-5' }],
  ])('%s is read', (pattern, expected) => {
    expect(timesOf(pattern)).toMatchObject(expected);
  });

  it('are unchanged after conversion to a cron pattern and back', () => {
    fc.assert(
      fc.property(
        fc.nat(59),
        fc.nat(23),
        fc.constantFrom('*', 0, 1, 2, 3, 4, 5, 6),
        (minute, hour, weekday) => {
          const pattern = `${minute} ${hour} * * ${weekday}`;
          expect(patternOf(timesOf(pattern))).toBe(pattern);
        },
      ),
      { seed: 21 },
    );
    expect(patternOf(timesOf(null))).toBeNull();
    expect(patternOf(timesOf('0 */6 * * *'))).toBe('0 */6 * * *');
  });

  it('give an invalid pattern if the time is missing', () => {
    expect(patternOf({ ...timesOf('15 2 * * *'), time: '' })).toBe('');
  });
});
