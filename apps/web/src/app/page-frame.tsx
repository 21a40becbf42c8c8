/** Title, and what is shown when a page cannot be. */
import { type ReactNode, useEffect, useRef } from 'react';
import { useRouteError } from 'react-router';
import { ErrorPanel } from '../components/error-panel.tsx';
import { PanelBoundary } from '../components/panel-boundary.tsx';
import { currentLanguage } from '../i18n/i18n.ts';
import { useTexts } from '../i18n/texts.ts';
import { ApiError } from '../lib/api-client.ts';
import { useServerReachable } from '../lib/server-status.ts';
import type { SitePage } from './pages.ts';
import { askServer } from './shell/ask-server.ts';
import { shellTexts } from './shell/texts.ts';

export function PageFrame({ page, children }: { readonly page: SitePage; readonly children: ReactNode }) {
  useTexts(shellTexts);
  const title = page.title[currentLanguage()];
  return (
    <PanelBoundary>
      <title>{page.path === '/' ? title : `${title} · Unitcell`}</title>
      {children}
    </PanelBoundary>
  );
}

const loadAgain = (): void => window.location.reload();

/**
 * A route whose code could not be loaded: a release in the meantime, or a server that is down. Loading again mends
 * both, and happens by itself when the server is back.
 */
export function RouteFailure() {
  const error = useRouteError();
  const isReachable = useServerReachable();
  const wasDown = useRef(false);
  useEffect(() => void askServer(), []);
  useEffect(() => {
    if (isReachable && wasDown.current) loadAgain();
    wasDown.current ||= !isReachable;
  }, [isReachable]);
  return (
    <div className="uc-page">
      <ErrorPanel error={isReachable ? error : new ApiError(0, '')} onRetry={loadAgain} />
    </div>
  );
}
