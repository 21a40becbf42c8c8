/** The OpenAPI document for people: RapiDoc, which is loaded with this page alone. */
import { Skeleton } from '@mantine/core';
import { createElement, useEffect, useState } from 'react';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { referenceTexts } from '../texts.ts';
import classes from './reference.module.css';
import { useViewerColours } from './use-viewer-colours.ts';

const DOCUMENT = '/api/openapi.json';

/** What of the viewer is shown: no trying out, since a page of the site is where calls are tried. */
const SETTINGS = {
  'spec-url': DOCUMENT,
  'render-style': 'focused',
  'schema-style': 'table',
  'default-schema-tab': 'schema',
  'show-header': 'false',
  'show-info': 'true',
  'allow-try': 'false',
  'allow-authentication': 'false',
  'allow-server-selection': 'false',
  'allow-spec-file-download': 'false',
  'allow-spec-url-load': 'false',
  'allow-spec-file-load': 'false',
  'load-fonts': 'false',
  'use-path-in-nav-bar': 'false',
  'show-method-in-nav-bar': 'as-colored-text',
  'font-size': 'large',
  'regular-font': 'inherit',
} as const;

export function ApiReference() {
  const { t } = useTexts(referenceTexts);
  const colours = useViewerColours();
  const [state, setState] = useState<'loading' | 'ready' | Error>('loading');
  useEffect(() => {
    let isHere = true;
    void import('rapidoc').then(
      () => isHere && setState('ready'),
      (error: unknown) => isHere && setState(error instanceof Error ? error : new Error(String(error))),
    );
    return () => {
      isHere = false;
    };
  }, []);
  return (
    <div className="uc-page">
      <h1>{t('title')}</h1>
      <p className={classes.lead}>
        {t('lead')} <a href={DOCUMENT}>{t('document')}</a>
      </p>
      {state === 'loading' && <Skeleton height={480} aria-label={t('loading')} />}
      {state instanceof Error && <ErrorPanel error={state} onRetry={() => window.location.reload()} />}
      {state === 'ready' && createElement('rapi-doc', { class: classes.viewer, ...SETTINGS, ...colours })}
    </div>
  );
}
