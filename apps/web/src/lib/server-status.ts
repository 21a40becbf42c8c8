/** State of the connection, shown by the shell: the server answers, is slow, or does not answer. */
import { observable, useObservable } from './observable.ts';

const reachable = observable(true);

export const reportReachable = (isReachable: boolean): void => reachable.set(isReachable);
export const useServerReachable = (): boolean => useObservable(reachable);

/** ms after which a wait is announced: longer than an answer takes on a busy machine. */
export const SLOW_AFTER_MS = 1500;

let overdue = 0;
const slow = observable(false);

/** Reports that a request is pending. @returns a function to call once when it has ended */
export function reportWaiting(): () => void {
  let isOverdue = false;
  const timer = setTimeout(() => {
    isOverdue = true;
    overdue++;
    slow.set(true);
  }, SLOW_AFTER_MS);
  return () => {
    clearTimeout(timer);
    if (!isOverdue) return;
    overdue--;
    slow.set(overdue > 0);
  };
}

/** True while a request is pending for longer than SLOW_AFTER_MS. */
export const useServerSlow = (): boolean => useObservable(slow);
