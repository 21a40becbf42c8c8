/**
 * Submissions that ended since the last visit: finds such submissions, and announces them on the page and by a browser
 * notification.
 */
import { Button } from '@mantine/core';
import type { SubmissionRow } from '@unitcell/contract/run4u';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { Formula, formulaText } from '../../../components/formula.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { readStored, writeStored } from '../../../lib/storage.ts';
import { run4uTexts } from '../texts.ts';
import { materialHref } from '../view-model.ts';
import classes from './run4u.module.css';

/** The browser remembers which submissions were waiting. */
const STORAGE_KEY = 'run4uWaiting';

const isWaiting = ({ status }: SubmissionRow): boolean => status === 'queued' || status === 'running';

function readWaiting(): readonly number[] {
  return (readStored(STORAGE_KEY) ?? '').split(' ').filter(Boolean).map(Number);
}

export function useEndedSubmissions(rows: readonly SubmissionRow[] | undefined): {
  readonly rows: readonly SubmissionRow[];
  readonly clear: () => void;
} {
  const [seenRows, setSeenRows] = useState<typeof rows>(undefined);
  const [endedIds, setEndedIds] = useState<readonly number[]>([]);
  if (rows && rows !== seenRows) {
    setSeenRows(rows);
    const waiting = readWaiting();
    // No notice for cancelled submissions: the visitor cancelled them.
    const ended = rows.filter(
      (row) => waiting.includes(row.id) && !isWaiting(row) && row.status !== 'cancelled',
    );
    if (ended.length > 0) setEndedIds((now) => [...new Set([...now, ...ended.map(({ id }) => id)])]);
  }
  useEffect(() => {
    if (!rows) return;
    writeStored(
      STORAGE_KEY,
      rows
        .filter(isWaiting)
        .map(({ id }) => id)
        .join(' ') || null,
    );
  }, [rows]);
  return {
    rows: (rows ?? []).filter(({ id }) => endedIds.includes(id)),
    clear: () => setEndedIds([]),
  };
}

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

/** Shows a browser notification when a job ends while the page is hidden, if the visitor enabled it. */
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

/** The notice of ended submissions, which stays until it is closed. */
export function EndedNotice({ rows }: { readonly rows: readonly SubmissionRow[] | undefined }) {
  const { t } = useTexts(run4uTexts);
  const ended = useEndedSubmissions(rows);
  // Keep the live region mounted: screen readers may ignore one that is added together with its text.
  return (
    <>
      <JobNotifications hasWaiting={rows?.some(isWaiting) ?? false} ended={ended.rows} />
      <output>
        {ended.rows.length > 0 && (
          <Notice kind="note">
            <ul className={classes.ended}>
              {ended.rows.map((row) => {
                const href = materialHref(row);
                return (
                  <li key={row.id}>
                    <Formula text={row.formula} />: {t(`status_${row.status}`)}{' '}
                    {href !== null && <Link to={href}>{t('openMaterial')}</Link>}
                  </li>
                );
              })}
            </ul>
            <Button size="compact-xs" variant="default" onClick={ended.clear}>
              {t('close')}
            </Button>
          </Notice>
        )}
      </output>
    </>
  );
}
