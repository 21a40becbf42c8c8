/** Everything below the first screen of a material: a sticky outline and the sections that have content. */
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { FileOrigin } from '../../components/file-origin.tsx';
import { Outline } from '../../components/outline.tsx';
import { PanelBoundary } from '../../components/failure.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useIsCompact } from '../../lib/breakpoints.ts';
import { useIdleTurn } from '../../lib/use-idle-turn.ts';
import { useNear } from '../../lib/use-near.ts';
import { detailTexts } from './detail-texts.ts';
import type { MaterialSection, SectionsBelowProps } from './material-section.ts';
import { entryOrigin } from './sources-view-model.ts';
import classes from './material.module.css';

interface InTurnProps {
  readonly id: string;
  /** The sections contained in this one. */
  readonly held: readonly string[];
  readonly isAtOnce: boolean;
  readonly children: ReactNode;
}

/** Maximum wait per section; a page has a dozen or more sections. */
const LONGEST_TURN_MS = 100;

const Turn = ({ waiting, children }: { readonly waiting: ReactNode; readonly children: ReactNode }) =>
  useIdleTurn(LONGEST_TURN_MS) ? children : waiting;

/**
 * Renders sections one after the other, so that the page stays responsive. Phones are slow: they render only visible
 * sections until the visitor interacts.
 */
function InTurn({ id, held, isAtOnce, children }: InTurnProps) {
  const place = useRef<HTMLDivElement>(null);
  const isNear = useNear(place);
  const isCompact = useIsCompact();
  const isTurn = isNear || !isCompact;
  const waiting = (
    <div ref={place} id={id} className={classes.waiting} aria-busy={isTurn}>
      {held.map((inner) => (
        <div key={inner} id={inner} />
      ))}
    </div>
  );
  if (isAtOnce) return children;
  return isTurn ? <Turn waiting={waiting}>{children}</Turn> : waiting;
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

  useEffect(() => {
    if (hash === '' || !drawn.current) return undefined;
    const showTarget = () => document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
    // Sections render after the answer, too late for the browser to scroll to the fragment, and those above the target grow while
    // they render. Keep the target in place until the visitor scrolls.
    const growth = new ResizeObserver(showTarget);
    growth.observe(drawn.current);
    const moved = new AbortController();
    const release = () => {
      growth.disconnect();
      moved.abort();
    };
    for (const action of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
      addEventListener(action, release, { passive: true, signal: moved.signal });
    showTarget();
    return release;
  }, [hash]);
  return (
    <div className={classes.columns}>
      <Outline
        label={t('outline')}
        entries={[...above, ...present].map(({ id, title }) => ({ id, title: title[language] }))}
      />
      <div ref={drawn} className={classes.sections}>
        <FileOrigin facts={origin}>
          {heldBy(null).map(({ id, Component }) => (
            <InTurn key={id} id={id} held={heldBy(id).map((inner) => inner.id)} isAtOnce={isAtOnce}>
              <PanelBoundary>
                <Component material={material} />
              </PanelBoundary>
            </InTurn>
          ))}
        </FileOrigin>
      </div>
    </div>
  );
}
