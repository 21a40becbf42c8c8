/** Shared parts of the tool pages: heading, loading state, and the places of the periodic table and the results. */
import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { type GuidePlace, documentationAddress } from '../../lib/documentation.ts';
import { BackToMaterial, useFromMaterial } from '../from-material.tsx';
import classes from '../panel.module.css';
import { componentTexts } from '../texts.ts';

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
      <p className={classes.toolLead}>
        {lead}
        {guide && <br />}
        {guide && <HowItWorks guide={guide} />}
      </p>
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
