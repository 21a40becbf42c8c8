/** The sticky outline of a long page; the current section is highlighted. */
import { useEffect, useRef, useState } from 'react';
import classes from './panel.module.css';
import { ScrollFrame } from './scroll-frame.tsx';

interface OutlineProps {
  readonly label: string;
  readonly entries: readonly { readonly id: string; readonly title: string }[];
}

/** px from the top of the window to the reading line, slightly below where a jump puts a heading. */
const READING_LINE_PX = 170;

const topOf = (id: string): number => document.getElementById(id)?.getBoundingClientRect().top ?? Infinity;

const hashTarget = (): string => decodeURIComponent(location.hash.slice(1));

/** The last section passed. A section beside another counts only if it was the jump target. */
const readOf = (passed: readonly string[]): string | undefined =>
  passed.reduce<string | undefined>((read, id) => {
    const bottom =
      read === undefined ? undefined : document.getElementById(read)?.getBoundingClientRect().bottom;
    return bottom !== undefined && topOf(id) < bottom - 1 && id !== hashTarget() ? read : id;
  }, undefined);

/** The last sections cannot scroll to the top. At the end of the page use the jump target if it is one of them, else the last. */
function lastRead(ids: readonly string[]): string | undefined {
  const target = hashTarget();
  const top = ids.includes(target) ? topOf(target) : Infinity;
  return top >= 0 && top < innerHeight ? target : ids.at(-1);
}

/** The last section whose heading has passed the reading line. */
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
  // On narrow screens the outline is a bar; scroll it to the current section.
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
