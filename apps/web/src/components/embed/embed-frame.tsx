/**
 * The frame around a drawing on another site, with a title above and the source and a link to the full page
 * below.
 */
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
        {/* Opens a new window, because nobody should sign in inside a frame of another site. */}
        <a href={href} target="_blank" rel="noopener">
          {t('open')}
        </a>
      </footer>
    </main>
  );
}
