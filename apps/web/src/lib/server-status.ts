/** How the connection to the server does, for the shell to say: it answers, it lets one wait, it does not answer. */
import { observable, useObservable } from './observable.ts';

const reachable = observable(true);

export const reportReachable = (isReachable: boolean): void => reachable.set(isReachable);
export const useServerReachable = (): boolean => useObservable(reachable);

/** ms after which a wait is announced: above what an answer takes on a busy machine. */
export const SLOW_AFTER_MS = 1500;

let overdue = 0;
const slow = observable(false);

/** Somebody waits for the server from now on. @returns to be called, once, when the wait is over */
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

/** True while something has been waited for longer than people do without a word. */
export const useServerSlow = (): boolean => useObservable(slow);
