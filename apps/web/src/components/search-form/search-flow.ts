/** The flow of a search (spec §4.5): a good answer scrolls into view, a failed one says why and leaves the last standing. */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { scrollToElement } from '../../lib/motion.ts';

/** The results of the last search that succeeded: a failed one leaves them standing (spec §8). */
export function useLastGood<Result>(data: Result | undefined): Result | undefined {
  const [last, setLast] = useState(data);
  if (data !== undefined && data !== last) setLast(data);
  return data ?? last;
}

/** Results that begin above this share of the window are in view: the page stays, and the query with it. */
const IN_VIEW = 0.6;

const isInView = (element: HTMLElement): boolean => {
  const { top } = element.getBoundingClientRect();
  return top >= 0 && top < IN_VIEW * window.innerHeight;
};

/** Scrolls to the results when an answer that was awaited has come; an answer to an opened link leaves the page still. */
export function useScrollToResults(search: { readonly isFetching: boolean; readonly data: unknown }): {
  readonly results: RefObject<HTMLElement | null>;
  /** The next answer is awaited. */
  readonly startWaiting: () => void;
} {
  const results = useRef<HTMLElement>(null);
  const isAwaited = useRef(false);
  const { isFetching, data } = search;
  useEffect(() => {
    if (!isAwaited.current || isFetching) return;
    isAwaited.current = false;
    if (data && results.current && !isInView(results.current)) scrollToElement(results.current);
  }, [isFetching, data]);
  const startWaiting = useCallback(() => {
    isAwaited.current = true;
  }, []);
  return { results, startWaiting };
}
