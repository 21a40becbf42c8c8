/** What went wrong, in a toast. Apart from the sentence itself, because toasts are no part of a page's first load. */
import { useCallback, useEffect } from 'react';
import { ApiError } from '../lib/api-client.ts';
import { notify } from '../lib/notify.ts';
import { useFailure } from './failure.tsx';

/** A lost session leads to the login and a dead server to the banner: both speak for themselves. */
export const isSaidElsewhere = (error: unknown): boolean =>
  error instanceof ApiError && (error.kind === 'login' || error.kind === 'offline');

/** Says in a toast what became of something asked for; for `onError` of mutations. */
export function useFailureToast(): (error: unknown) => void {
  const sentence = useFailure();
  return useCallback(
    (error) => {
      if (!isSaidElsewhere(error)) notify('error', sentence(error));
    },
    [sentence],
  );
}

/** The same for a query: once for each error it ends in. */
export function useFailureToastOf(error: Error | null): void {
  const say = useFailureToast();
  useEffect(() => {
    if (error) say(error);
  }, [error, say]);
}
