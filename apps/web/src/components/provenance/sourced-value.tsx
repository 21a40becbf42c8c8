/** A number that says where it comes from when it is clicked: source, scale and release, method, and how to get it again. */
import { type ReactNode, Suspense, useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { PanelBoundary } from '../failure.tsx';
import classes from './provenance.module.css';
import type { ProvenanceProps } from './provenance-popover.tsx';
import { provenanceTexts } from './texts.ts';

/** The methods of all numbers are told in many words, in a component of their own: fetched when the first is asked for. */
const ProvenancePopover = lazyPart(async () => (await import('./provenance-popover.tsx')).ProvenancePopover);

export interface SourcedValueProps extends ProvenanceProps {
  /** The 36th component of a tensor is no tab stop of its own. */
  readonly isTabStop?: boolean;
  /** As shown. */
  readonly children: ReactNode;
}

export function SourcedValue({ isTabStop = true, ...props }: SourcedValueProps) {
  const { t } = useTexts(provenanceTexts);
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  if (!props.source && !props.isMadeHere) return props.children;
  const button = (
    <button
      ref={opener}
      type="button"
      className={`uc-link-button ${classes.value}`}
      title={t('provenance', { of: props.name })}
      tabIndex={isTabStop ? 0 : -1}
      aria-expanded={isOpen}
      onClick={() => {
        setOpened(true);
        setOpen(!isOpen);
      }}
    >
      {props.children}
    </button>
  );
  // Pages have hundreds of numbers: what only an opened one needs is fetched and made when it is opened.
  if (!wasOpened) return button;
  return (
    <PanelBoundary kept={button}>
      <Suspense fallback={button}>
        <ProvenancePopover
          {...props}
          isOpen={isOpen}
          onChange={setOpen}
          // The button of before the first opening is another element, to which nothing can be returned.
          onClose={() => opener.current?.focus()}
        >
          {button}
        </ProvenancePopover>
      </Suspense>
    </PanelBoundary>
  );
}
