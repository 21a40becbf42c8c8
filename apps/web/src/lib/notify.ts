/** Toasts: three seconds, closable. */
import { notifications } from '@mantine/notifications';

export type Tone = 'success' | 'warning' | 'error' | 'info';

const COLORS: Readonly<Record<Tone, string>> = {
  success: 'var(--uc-malachite)',
  warning: 'var(--uc-orpiment)',
  error: 'var(--uc-cinnabar)',
  info: 'var(--uc-prussian)',
};

export function notify(tone: Tone, message: string): void {
  notifications.show({
    message,
    color: COLORS[tone],
    autoClose: 3000,
    withBorder: true,
    role: tone === 'error' ? 'alert' : 'status',
  });
}
