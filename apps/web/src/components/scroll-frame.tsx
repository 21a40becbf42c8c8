/** Around one child that scrolls sideways: shows at which side there is more, and keeps the current item of a strip in sight. */
import { type ReactNode, useCallback } from 'react';
import classes from './table.module.css';

/** Browsers round sizes and positions differently; less than this is no hidden content. */
const HIDDEN_PX = 2;

/** Follows one scrolling element; the marks go straight to the frame, without rendering anything again. */
function followScroll(frame: HTMLElement | null): (() => void) | undefined {
  const scroller = frame?.firstElementChild;
  if (!frame || !scroller) return undefined;
  const mark = (): void => {
    const { scrollLeft, scrollWidth, clientWidth } = scroller;
    frame.toggleAttribute('data-more-before', scrollLeft > HIDDEN_PX);
    frame.toggleAttribute('data-more-after', scrollWidth - clientWidth - scrollLeft > HIDDEN_PX);
  };
  // It speaks for the first time once the page is laid out: asking now would lay it out for each frame.
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
