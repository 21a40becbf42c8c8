/** What went wrong, in a toast. Apart from the sentence itself, because toasts are no part of a page's first load. */
import { useCallback, useEffect } from 'react';
import { notify } from '../lib/notify.ts';
import { isSaidElsewhere, useFailure } from './failure.tsx';

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
