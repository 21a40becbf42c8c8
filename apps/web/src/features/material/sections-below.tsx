/** Everything below the first screen of a material: a sticky outline and the sections that have content. */
import { type ReactNode, useMemo, useRef } from 'react';
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
import { Outline } from '../../components/outline.tsx';
import panel from '../../components/panel.module.css';

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
    <div className={panel.columns}>
      <Outline
        label={t('outline')}
        entries={[...above, ...present].map(({ id, title }) => ({ id, title: title[language] }))}
      />
      <div ref={drawn} className={panel.beside}>
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
