/** Shared parts of the tool pages: heading, loading state, placeholder, and the flow of a search. */
import { Loader } from '@mantine/core';
import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { documentationAddress, type GuidePlace } from '../../lib/documentation.ts';
import { BackToMaterial, useFromMaterial } from '../from-material.tsx';
import classes from '../panel.module.css';
import { componentTexts } from '../texts.ts';
import { scrollToElement } from '../../lib/motion.ts';

/** Link to the guide of a tool. It opens in a new tab, so that input on the page is not lost. */
export function HowItWorks({ guide }: { readonly guide: GuidePlace }) {
  const { t, language } = useTexts(componentTexts);
  return (
    <a href={documentationAddress(language, `guide/${guide}`)} target="_blank" rel="noopener">
      {t('howItWorks')}
      <span className="uc-visually-hidden"> ({t('opensNewTab')})</span>
    </a>
  );
}

interface ToolHeaderProps {
  readonly title: string;
  readonly lead: string;
  readonly guide?: GuidePlace;
}

export function ToolHeader({ title, lead, guide }: ToolHeaderProps) {
  const from = useFromMaterial();
  return (
    <header className={classes.toolHeader}>
      <BackToMaterial structId={from} />
      <h1>{title}</h1>
      <p className={classes.toolLead}>{lead}</p>
      {guide && <HowItWorks guide={guide} />}
    </header>
  );
}

/** The rotating logo during a calculation, with a description of the step. */
export const Waiting = ({ children }: { readonly children: ReactNode }) => (
  <output className={`uc-stack ${classes.loading}`}>
    <Loader size={40} />
    {children}
  </output>
);

/** Placeholder for results before the first search. */
export const Idle = ({ children }: { readonly children: ReactNode }) => (
  <p className={classes.idle}>{children}</p>
);

// ── The flow of a search (spec §4.5): results scroll into view; an error is explained and the last results stay ──

/** The results of the last successful search; a failed search keeps showing them (spec §8). */
export function useLastGood<Result>(data: Result | undefined): Result | undefined {
  const [last, setLast] = useState(data);
  if (data !== undefined && data !== last) setLast(data);
  return data ?? last;
}

/**
 * Results that start above this share of the window height count as visible: the page does not scroll, so that the
 * query stays in view.
 */
const IN_VIEW = 0.6;

const isInView = (element: HTMLElement): boolean => {
  const { top } = element.getBoundingClientRect();
  return top >= 0 && top < IN_VIEW * window.innerHeight;
};

/** Scrolls to the results of a search the visitor started; opening a link does not scroll. */
export function useScrollToResults(search: { readonly isFetching: boolean; readonly data: unknown }): {
  readonly results: RefObject<HTMLElement | null>;
  /** Call when a search starts: its answer will scroll into view. */
  readonly startWaiting: () => void;
} {
  const results = useRef<HTMLElement>(null);
  const isAwaited = useRef(false);
  const { isFetching, data } = search;
  useEffect(() => {
    if (!isAwaited.current || isFetching) return;
    isAwaited.current = false;
    if (data && results.current && !isInView(results.current)) scrollToElement(results.current);
  }, [isFetching, data]);
  const startWaiting = useCallback(() => {
    isAwaited.current = true;
  }, []);
  return { results, startWaiting };
}
