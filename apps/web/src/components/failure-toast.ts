/** Shows errors as toasts. A separate module, so that toasts are not part of a page's first load. */
import { useCallback, useEffect } from 'react';
import { notify } from '../lib/notify.ts';
import { isSaidElsewhere, useFailure } from './failure.tsx';

/** Shows the error of a failed mutation as a toast; for `onError`. */
export function useFailureToast(): (error: unknown) => void {
  const sentence = useFailure();
  return useCallback(
    (error) => {
      if (!isSaidElsewhere(error)) notify('error', sentence(error));
    },
    [sentence],
  );
}

/** Shows the error of a query as a toast, once per error. */
export function useFailureToastOf(error: Error | null): void {
  const say = useFailureToast();
  useEffect(() => {
    if (error) say(error);
  }, [error, say]);
}
