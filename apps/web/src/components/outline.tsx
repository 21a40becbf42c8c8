/** The sections of a long page, sticky beside it; the one being read is marked. */
import { useEffect, useRef, useState } from 'react';
import classes from './outline.module.css';
import { ScrollFrame } from './scroll-frame.tsx';

interface OutlineProps {
  readonly label: string;
  readonly entries: readonly { readonly id: string; readonly title: string }[];
}

/** The section whose heading last passed the upper third of the window. */
function useSectionInView(ids: readonly string[]): string | undefined {
  const [current, setCurrent] = useState(ids[0]);
  const key = ids.join(' ');
  useEffect(() => {
    const update = (): void => {
      const passed = key
        .split(' ')
        .filter(
          (id) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) < innerHeight / 3,
        );
      const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
      setCurrent(isAtEnd ? key.split(' ').at(-1) : (passed.at(-1) ?? key.split(' ')[0]));
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
        <ol ref={list} className={classes.list}>
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
