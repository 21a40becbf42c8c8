/** What the pages of the tools share: heading, waiting, and the place of the periodic table and the results. */
import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { type GuidePlace, documentationAddress } from '../../lib/documentation.ts';
import { BackToMaterial, useFromMaterial } from '../from-material.tsx';
import classes from '../panel.module.css';
import { componentTexts } from '../texts.ts';

/** Leads to the guide of a tool. In a new tab, so that nothing entered on the page is lost. */
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

/** The rotating logo of a calculation under way, with what is being done. */
export const Waiting = ({ children }: { readonly children: ReactNode }) => (
  <output className={`uc-stack ${classes.loading}`}>
    <Loader size={40} />
    {children}
  </output>
);

/** Where the results will be, before anything was asked. */
export const Idle = ({ children }: { readonly children: ReactNode }) => (
  <p className={classes.idle}>{children}</p>
);
