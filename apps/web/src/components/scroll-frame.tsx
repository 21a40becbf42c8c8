/**
 * A frame around one horizontally scrolling child. The frame shows where content is hidden, and keeps the current item
 * of a strip visible.
 */
import { type ReactNode, useCallback } from 'react';
import classes from './table.module.css';

/** Content that overflows by less than this does not count as hidden, because browsers round sizes differently. */
const HIDDEN_PX = 2;

/** Observes one scrolling element and sets the marks on the frame directly, without re-rendering. */
function followScroll(frame: HTMLElement | null): (() => void) | undefined {
  const scroller = frame?.firstElementChild;
  if (!frame || !scroller) return undefined;
  const mark = (): void => {
    const { scrollLeft, scrollWidth, clientWidth } = scroller;
    frame.toggleAttribute('data-more-before', scrollLeft > HIDDEN_PX);
    frame.toggleAttribute('data-more-after', scrollWidth - clientWidth - scrollLeft > HIDDEN_PX);
  };
  // The observer also fires once after layout. Measuring here would force an extra layout for each frame.
  const sizes = new ResizeObserver(mark);
  sizes.observe(scroller);
  for (const child of scroller.children) sizes.observe(child);
  scroller.addEventListener('scroll', mark, { passive: true });
  const current = scroller.querySelector<HTMLElement>('[aria-current="page"]');
  if (current) scroller.scrollLeft = current.offsetLeft - (scroller.clientWidth - current.offsetWidth) / 2;
  return () => {
    sizes.disconnect();
    scroller.removeEventListener('scroll', mark);
  };
}

export function ScrollFrame({ children }: { readonly children: ReactNode }) {
  const frame = useCallback((element: HTMLElement | null) => followScroll(element), []);
  return (
    <div ref={frame} className={classes.frame}>
      {children}
    </div>
  );
}
