import { Notifications, notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { act, cleanup, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../lib/api-client.ts';
import { renderInApp } from '../testing/render.tsx';
import { ErrorPanel } from './failure.tsx';
import { useFailureToast } from './failure-toast.ts';

beforeAll(() => {
  // Toasts wait for transitions, which happy-dom does not run.
  vi.stubGlobal('matchMedia', (media: string) => ({
    media,
    matches: media.includes('reduce'),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
});
afterEach(() => {
  act(() => notifications.clean());
});

const FAILURES = [
  [new ApiError(0, ''), 'The server cannot be reached', '无法连接服务器'],
  [new ApiError(429, 'x', { retryAfter: 57 }), 'Try again in 57 s', '57 秒后重试'],
  [new ApiError(500, 'x', { errorId: 'E7' }), 'Reference: E7', '编号 E7'],
  [new ApiError(200, 'No such element.'), 'No such element.', 'No such element.'],
  [new ApiError(200, ''), 'unexpected answer', '无法读取'],
  [new TypeError('x is undefined'), 'Something went wrong', '页面出现错误'],
] as const;

describe('ErrorPanel', () => {
  it.each(FAILURES)(
    "shows a translated message for %s, never the program's own error text",
    async (error, english, chinese) => {
      for (const [language, words] of [
        ['en', english],
        ['zh', chinese],
      ] as const) {
        await renderInApp(<ErrorPanel error={error} />, { language });
        expect(screen.getByRole('alert').textContent).toContain(words);
        cleanup();
      }
    },
  );

  it.each([
    ['Expected a value here. (character 11)', 'en'],
    ['此处应为取值。（第 11 个字符）', 'zh'],
  ] as const)(
    'marks the fault in a filter instead of pointing at it with a caret: %s',
    async (first, language) => {
      const message = `${first}\nband_gap >> 2\n          ^`;
      await renderInApp(<ErrorPanel error={new ApiError(200, message)} />, { language });
      const panel = screen.getByRole('alert');
      expect(panel.textContent).toBe(`${first.replace(/ ?[(（].*/, '')}band_gap >> 2`);
      expect(panel.querySelector('mark')?.textContent).toBe('>');
    },
  );

  it('offers a retry for temporary errors, but not after a definite answer of the server', async () => {
    const retry = vi.fn<() => void>();
    await renderInApp(<ErrorPanel error={new ApiError(0, '')} onRetry={retry} />);
    await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }));
    expect(retry).toHaveBeenCalledOnce();
    cleanup();
    await renderInApp(<ErrorPanel error={new ApiError(404, 'No such thing.')} onRetry={retry} />);
    expect(screen.queryByRole('button')).toBeNull();
  });
});

function Action({ error }: { readonly error: Error }) {
  const action = useMutation({ mutationFn: () => Promise.reject(error), onError: useFailureToast() });
  return (
    <>
      <button type="button" onClick={() => action.mutate()}>
        Go
      </button>
      <output>{action.status}</output>
      <Notifications transitionDuration={0} />
    </>
  );
}

describe('the toast of a mutation that failed', () => {
  const run = async (error: Error) => {
    await renderInApp(<Action error={error} />);
    await userEvent.setup().click(screen.getByRole('button', { name: 'Go' }));
    await screen.findByText('error');
  };

  it("shows the server's message as an alert that can be closed", async () => {
    await run(new ApiError(200, 'Five matches are waiting already.'));
    const toast = await screen.findByRole('alert');
    expect(toast.textContent).toContain('Five matches are waiting already.');
    expect(within(toast).getByRole('button', { name: 'Close' })).toBeDefined();
  });

  it.each([new ApiError(401, 'Invalid token'), new ApiError(0, '')])(
    'shows nothing for %s, which the login or the banner reports',
    async (error) => {
      await run(error);
      expect(screen.queryByRole('alert')).toBeNull();
    },
  );
});
