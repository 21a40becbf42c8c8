/** What the pages of the tools share: heading, waiting, and the place of the periodic table and the results. */
import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { BackToMaterial, useFromMaterial } from '../from-material.tsx';
import classes from '../panel.module.css';

export function ToolHeader({ title, lead }: { readonly title: string; readonly lead: string }) {
  const from = useFromMaterial();
  return (
    <header className={classes.toolHeader}>
      <BackToMaterial structId={from} />
      <h1 className={classes.toolTitle}>{title}</h1>
      <p className={classes.toolLead}>{lead}</p>
    </header>
  );
}

/** The rotating logo of a calculation under way, with what is being done. */
export const Waiting = ({ children }: { readonly children: ReactNode }) => (
  <output className={classes.loading}>
    <Loader size={40} />
    {children}
  </output>
);

/** Where the results will be, before anything was asked. */
export const Idle = ({ children }: { readonly children: ReactNode }) => (
  <p className={classes.idle}>{children}</p>
);
