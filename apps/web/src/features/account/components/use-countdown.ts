/** Seconds until a code may be sent again. */
import { useCallback, useEffect, useState } from 'react';

/** Starts at 61 so that the first number shown, a tick later, is 60 (spec §4.1). */
export const COUNTDOWN_START = 61;

export function useCountdown(): { readonly seconds: number; readonly start: (from?: number) => void } {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (seconds <= 0) return undefined;
    const timer = setTimeout(() => setSeconds(seconds - 1), 1000);
    return () => clearTimeout(timer);
  }, [seconds]);
  const start = useCallback((from: number = COUNTDOWN_START) => setSeconds(from), []);
  return { seconds, start };
}
