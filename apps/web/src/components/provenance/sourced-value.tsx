/** A clickable number that shows its provenance: source, scale and release, method, and how to reproduce it. */
import { type ReactNode, useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { PanelBoundary } from '../failure.tsx';
import classes from './provenance.module.css';
import type { ProvenanceProps } from './provenance-popover.tsx';
import { provenanceTexts } from './texts.ts';

/** The method texts are long, so the popover is loaded when first opened. */
const ProvenancePopover = lazyPart(async () => (await import('./provenance-popover.tsx')).ProvenancePopover);

export interface SourcedValueProps extends ProvenanceProps {
  /** True for the first number of a table or tensor only, so that the whole table is one tab stop. */
  readonly isTabStop?: boolean;
  /** Formatted value. */
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
  // Pages have hundreds of numbers: render the popover only after the first click.
  if (!wasOpened) return button;
  return (
    <PanelBoundary kept={button} waiting={button}>
      <ProvenancePopover
        {...props}
        isOpen={isOpen}
        onChange={setOpen}
        // Opening replaces the button element, so focus must be returned to the new one.
        onClose={() => opener.current?.focus()}
      >
        {button}
      </ProvenancePopover>
    </PanelBoundary>
  );
}
