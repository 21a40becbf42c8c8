/** The example that a tool shows until the visitor enters something. */
import { Button } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { readStored, writeStored } from '../../lib/storage.ts';
import { PanelBoundary } from '../failure.tsx';
import classes from '../panel.module.css';
import { componentTexts } from '../texts.ts';
import { Waiting } from './tool-page.tsx';

interface Example {
  readonly isHidden: boolean;
  readonly hide: () => void;
}

/** Whether the visitor has hidden the example of a tool; the browser remembers it. */
export function useExample(tool: string): Example {
  const key = `exampleHidden:${tool}`;
  const [isHidden, setHidden] = useState(() => readStored(key) !== null);
  const hide = useCallback(() => {
    writeStored(key, 'yes');
    setHidden(true);
  }, [key]);
  return { isHidden, hide };
}

interface ToolExampleProps {
  readonly example: Example;
  /** What the example shows, in one sentence. */
  readonly title: ReactNode;
  /** Replaces an example that is hidden or has no answer. */
  readonly idle: ReactNode;
  /** Shown while the answer is loading. */
  readonly waiting: ReactNode;
  readonly isLoading: boolean;
  /** The answer; nothing if the request failed, because the visitor did not ask for it. */
  readonly children: ReactNode;
}

/** The answer to a real request of the tool, below one line that names it and can hide it. */
export function ToolExample({ example, title, idle, waiting, isLoading, children }: ToolExampleProps) {
  const { t } = useTexts(componentTexts);
  const placeholder = useRef<HTMLDivElement>(null);
  const { isHidden, hide } = example;
  const [wasHiddenAtFirst] = useState(isHidden);
  // The button that had the focus is gone, so the placeholder gets the focus.
  useEffect(() => {
    if (isHidden && !wasHiddenAtFirst) placeholder.current?.focus({ preventScroll: true });
  }, [isHidden, wasHiddenAtFirst]);
  if (isHidden || (!isLoading && !children))
    return (
      <div ref={placeholder} tabIndex={-1}>
        {idle}
      </div>
    );
  return (
    <>
      <div className={`uc-row ${classes.exampleLine}`}>
        <span>{title}</span>
        <Button size="compact-sm" variant="default" onClick={hide}>
          {t('hideExample')}
        </Button>
      </div>
      {isLoading ? <Waiting>{waiting}</Waiting> : <PanelBoundary>{children}</PanelBoundary>}
    </>
  );
}
