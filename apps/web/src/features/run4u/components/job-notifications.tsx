/** Shows a browser notification when a job ends while the page is hidden, if the visitor enabled it. */
import { Button } from '@mantine/core';
import type { SubmissionRow } from '@unitcell/contract/run4u';
import { useEffect, useRef, useState } from 'react';
import { formulaText } from '../../../components/formula.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { run4uTexts } from '../texts.ts';

const permissionNow = (): NotificationPermission =>
  'Notification' in globalThis ? Notification.permission : 'denied';

/** A click focuses the page. Chrome on Android lacks this constructor; the notice on the page remains. */
function notify(text: string, tag: string): void {
  try {
    const notification = new Notification('Unitcell', { body: text, tag });
    notification.addEventListener('click', () => window.focus());
  } catch {
    // Chrome on Android.
  }
}

interface JobNotificationsProps {
  readonly hasWaiting: boolean;
  readonly ended: readonly SubmissionRow[];
}

export function JobNotifications({ hasWaiting, ended }: JobNotificationsProps) {
  const { t } = useTexts(run4uTexts);
  const [permission, setPermission] = useState(permissionNow);
  const announced = useRef(new Set<number>());
  useEffect(() => {
    for (const { id, formula, status } of ended) {
      if (announced.current.has(id)) continue;
      announced.current.add(id);
      if (permission === 'granted' && document.hidden)
        notify(`${formulaText(formula)}: ${t(`status_${status}`)}`, `run4u-${id}`);
    }
  }, [ended, permission, t]);
  if (!hasWaiting || permission !== 'default') return null;
  const ask = async (): Promise<void> => setPermission(await Notification.requestPermission());
  return (
    <Button size="compact-xs" variant="default" onClick={() => void ask()}>
      {t('notifyMe')}
    </Button>
  );
}
