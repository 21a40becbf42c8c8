/** Submissions that ended since the last visit; the browser remembers which were waiting. */
import type { SubmissionRow } from '@unitcell/contract/run4u';
import { useEffect, useState } from 'react';
import { readStored, writeStored } from '../../lib/storage.ts';

const STORAGE_KEY = 'run4uWaiting';

export const isWaiting = ({ status }: SubmissionRow): boolean => status === 'queued' || status === 'running';

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
