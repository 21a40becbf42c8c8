/** The outline of a long page: sticky beside its sections, a bar above them on narrow screens. */
import { useEffect, useRef, useState } from 'react';
import { idInHash } from '../lib/use-hash-target.ts';
import panel from './panel.module.css';
import { ScrollFrame } from './scroll-frame.tsx';

interface OutlineProps {
  readonly label: string;
  readonly entries: readonly { readonly id: string; readonly title: string }[];
}

/**
 * px from the top of the window to the line at which a section counts as being read, slightly below where a jump puts a
 * heading.
 */
const READING_LINE_PX = 170;

const topOf = (id: string): number => document.getElementById(id)?.getBoundingClientRect().top ?? Infinity;

const hashTarget = (): string => idInHash(location.hash);

/**
 * The last section whose heading has passed the reading line. Of sections side by side, the second counts only if it
 * was the jump target.
 */
const readOf = (passed: readonly string[]): string | undefined =>
  passed.reduce<string | undefined>((read, id) => {
    const bottom =
      read === undefined ? undefined : document.getElementById(read)?.getBoundingClientRect().bottom;
    return bottom !== undefined && topOf(id) < bottom - 1 && id !== hashTarget() ? read : id;
  }, undefined);

/**
 * Sections at the end of the page cannot scroll to the top: the jump target counts as read if it is one of them,
 * otherwise the last section.
 */
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

/** The sticky outline of a long page; the current section is highlighted. */
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
    <nav className={panel.outline} aria-label={label}>
      <p className="uc-caption">{label}</p>
      <ScrollFrame>
        <ol ref={list} className={`uc-list ${panel.outlineList}`}>
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
