/** The frame around a drawing on another site: its name above, source and way to the full page below. */
import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { ErrorPanel } from '../failure.tsx';
import classes from './embed.module.css';
import { embedTexts } from './texts.ts';

interface EmbedFrameProps {
  readonly title: ReactNode;
  /** The page of this site that shows more. */
  readonly href: string;
  /** Source and licence. */
  readonly source: string;
  readonly error: unknown;
  /** null while it is loading. */
  readonly children: ReactNode;
}

const HEIGHT = 400;

export function EmbedFrame({ title, href, source, error, children }: EmbedFrameProps) {
  const { t } = useTexts(embedTexts);
  return (
    <main className={classes.frame}>
      <h1 className={classes.title}>{title}</h1>
      {error ? <ErrorPanel error={error} /> : (children ?? <Skeleton height={HEIGHT} />)}
      <footer className={classes.footer}>
        <span>{source}</span>
        {/* A new window: the frame must not become a page where somebody signs in. */}
        <a href={href} target="_blank" rel="noopener">
          {t('open')}
        </a>
      </footer>
    </main>
  );
}
