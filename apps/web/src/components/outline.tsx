/** The sections of a long page, sticky beside it; the one being read is marked. */
import { useEffect, useRef, useState } from 'react';
import classes from './panel.module.css';
import { ScrollFrame } from './scroll-frame.tsx';

interface OutlineProps {
  readonly label: string;
  readonly entries: readonly { readonly id: string; readonly title: string }[];
}

/** px from the top of the window to where one reads: a little below where a jump brings a heading. */
const READING_LINE_PX = 170;

const topOf = (id: string): number => document.getElementById(id)?.getBoundingClientRect().top ?? Infinity;

const hashTarget = (): string => decodeURIComponent(location.hash.slice(1));

/** The last of those that were passed; one that stands beside another counts only when it was jumped to. */
const readOf = (passed: readonly string[]): string | undefined =>
  passed.reduce<string | undefined>((read, id) => {
    const bottom =
      read === undefined ? undefined : document.getElementById(read)?.getBoundingClientRect().bottom;
    return bottom !== undefined && topOf(id) < bottom - 1 && id !== hashTarget() ? read : id;
  }, undefined);

/** At the end of the page, where the last sections cannot come to the top: the one jumped to, else the last. */
function lastRead(ids: readonly string[]): string | undefined {
  const target = hashTarget();
  const top = ids.includes(target) ? topOf(target) : Infinity;
  return top >= 0 && top < innerHeight ? target : ids.at(-1);
}

/** The section whose heading last passed the reading line. */
function useSectionInView(ids: readonly string[]): string | undefined {
  const [current, setCurrent] = useState(ids[0]);
  const key = ids.join(' ');
  useEffect(() => {
    const update = (): void => {
      const all = key.split(' ');
      const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
      const passed = all.filter((id) => topOf(id) < READING_LINE_PX);
      setCurrent(isAtEnd ? lastRead(all) : (readOf(passed) ?? all[0]));
    };
    update();
    addEventListener('scroll', update, { passive: true });
    return () => removeEventListener('scroll', update);
  }, [key]);
  return current;
}

export function Outline({ label, entries }: OutlineProps) {
  const current = useSectionInView(entries.map((entry) => entry.id));
  const list = useRef<HTMLOListElement>(null);
  // As a bar on narrow screens the outline follows the reading.
  useEffect(() => {
    const bar = list.current;
    const entry = bar?.querySelector<HTMLElement>(`[href="#${current}"]`);
    if (bar && entry) bar.scrollLeft = entry.offsetLeft - (bar.clientWidth - entry.offsetWidth) / 2;
  }, [current]);
  return (
    <nav className={classes.outline} aria-label={label}>
      <p className="uc-caption">{label}</p>
      <ScrollFrame>
        <ol ref={list} className={`uc-list ${classes.outlineList}`}>
          {entries.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`} aria-current={id === current ? 'location' : undefined}>
                {title}
              </a>
            </li>
          ))}
        </ol>
      </ScrollFrame>
    </nav>
  );
}
