/** Messages to the user: toasts that stay three seconds, and one banner below the navigation bar. */
import { notifications } from '@mantine/notifications';
import { defineTexts, translate } from '../i18n/texts.ts';
import { observable, useObservable } from './observable.ts';

/** How long the banner stays (spec §8). */
const BANNER_MS = 5000;

interface Banner {
  readonly tone: Tone;
  readonly message: string;
}

const banner = observable<Banner | null>(null);

export const useBanner = (): Banner | null => useObservable(banner);

export const closeBanner = (): void => banner.set(null);

/** Shows a message; a newer one replaces it. */
export function showBanner(tone: Tone, message: string): void {
  const shown = { tone, message };
  banner.set(shown);
  setTimeout(() => {
    if (banner.get() === shown) closeBanner();
  }, BANNER_MS);
}

export type Tone = 'success' | 'warning' | 'error' | 'info';

const COLORS: Readonly<Record<Tone, string>> = {
  success: 'var(--uc-malachite)',
  warning: 'var(--uc-orpiment)',
  error: 'var(--uc-cinnabar)',
  info: 'var(--uc-prussian)',
};

const texts = defineTexts('toasts', { close: ['Close', '关闭'] });

export function notify(tone: Tone, message: string): void {
  notifications.show({
    message,
    color: COLORS[tone],
    autoClose: 3000,
    withBorder: true,
    closeButtonProps: { 'aria-label': translate(texts)('close') },
    role: tone === 'error' ? 'alert' : 'status',
  });
}
