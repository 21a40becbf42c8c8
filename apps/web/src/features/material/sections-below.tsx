/** Everything below the first screen of a material: a sticky outline and the sections that have content. */
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { FileOrigin } from '../../components/file-origin.tsx';
import { PanelBoundary } from '../../components/failure.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useIsCompact } from '../../lib/breakpoints.ts';
import { useHashTarget } from '../../lib/use-hash-target.ts';
import { useIdleRender } from '../../lib/use-idle-render.ts';
import { useNear } from '../../lib/use-near.ts';
import { detailTexts } from './detail-texts.ts';
import type { MaterialSection, SectionsBelowProps } from './material-section.ts';
import { entryOrigin } from './sources-view-model.ts';
import classes from './material.module.css';
import panel from '../../components/panel.module.css';
import { ScrollFrame } from '../../components/scroll-frame.tsx';

interface DeferredSectionProps {
  readonly id: string;
  /** The sections contained in this one. */
  readonly held: readonly string[];
  readonly isAtOnce: boolean;
  readonly children: ReactNode;
}

/** Maximum wait in ms for each section. It is short, because a page has a dozen or more sections. */
const LONGEST_WAIT_MS = 100;

const WhenIdle = ({ waiting, children }: { readonly waiting: ReactNode; readonly children: ReactNode }) =>
  useIdleRender(LONGEST_WAIT_MS) ? children : waiting;

/**
 * Renders sections one after the other, so that the page stays responsive. Phones are slow: they render only visible
 * sections until the visitor interacts.
 */
function DeferredSection({ id, held, isAtOnce, children }: DeferredSectionProps) {
  const place = useRef<HTMLDivElement>(null);
  const isNear = useNear(place);
  const isCompact = useIsCompact();
  const isDue = isNear || !isCompact;
  const waiting = (
    <div ref={place} id={id} className={classes.waiting} aria-busy={isDue}>
      {held.map((inner) => (
        <div key={inner} id={inner} />
      ))}
    </div>
  );
  if (isAtOnce) return children;
  return isDue ? <WhenIdle waiting={waiting}>{children}</WhenIdle> : waiting;
}

export function SectionsBelow({
  material,
  above,
  sections,
  answers,
  isAtOnce,
}: SectionsBelowProps & { readonly sections: readonly MaterialSection[] }) {
  const { t, language } = useTexts(detailTexts);
  const { hash } = useLocation();
  const present = sections.filter(
    (section) => section.isPresent?.(material, answers.get(section.id)) ?? true,
  );
  const heldBy = (holder: string | null) =>
    present.filter(({ within }) => (within?.(material) ?? null) === holder);
  const origin = useMemo(() => entryOrigin(material), [material]);

  const drawn = useRef<HTMLDivElement>(null);
  useHashTarget(hash, drawn);
  return (
    <div className={classes.columns}>
      <Outline
        label={t('outline')}
        entries={[...above, ...present].map(({ id, title }) => ({ id, title: title[language] }))}
      />
      <div ref={drawn} className={classes.sections}>
        <FileOrigin facts={origin}>
          {heldBy(null).map(({ id, Component }) => (
            <DeferredSection key={id} id={id} held={heldBy(id).map((inner) => inner.id)} isAtOnce={isAtOnce}>
              <PanelBoundary>
                <Component material={material} />
              </PanelBoundary>
            </DeferredSection>
          ))}
        </FileOrigin>
      </div>
    </div>
  );
}

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

const hashTarget = (): string => decodeURIComponent(location.hash.slice(1));

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
