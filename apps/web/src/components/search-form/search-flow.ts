/** The flow of a search (spec §4.5): results scroll into view; an error is explained and the last results stay. */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { scrollToElement } from '../../lib/motion.ts';

/** The results of the last successful search; a failed search keeps showing them (spec §8). */
export function useLastGood<Result>(data: Result | undefined): Result | undefined {
  const [last, setLast] = useState(data);
  if (data !== undefined && data !== last) setLast(data);
  return data ?? last;
}

/** Results that start above this share of the window count as visible: no scrolling, so the query stays in view. */
const IN_VIEW = 0.6;

const isInView = (element: HTMLElement): boolean => {
  const { top } = element.getBoundingClientRect();
  return top >= 0 && top < IN_VIEW * window.innerHeight;
};

/** Scrolls to the results of a search the visitor started; opening a link does not scroll. */
export function useScrollToResults(search: { readonly isFetching: boolean; readonly data: unknown }): {
  readonly results: RefObject<HTMLElement | null>;
  /** Call when a search starts: its answer will scroll into view. */
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
