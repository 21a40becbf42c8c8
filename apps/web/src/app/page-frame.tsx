/** Title, and what is shown when a page cannot be. */
import type { ReactNode } from 'react';
import { useRouteError } from 'react-router';
import { ErrorPanel } from '../components/error-panel.tsx';
import { PanelBoundary } from '../components/panel-boundary.tsx';
import { currentLanguage } from '../i18n/i18n.ts';
import { useTexts } from '../i18n/texts.ts';
import type { SitePage } from './pages.ts';
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

/** A route whose code could not be loaded: usually a release in the meantime, so loading again mends it. */
export function RouteFailure() {
  const error = useRouteError();
  return (
    <div className="uc-page">
      <ErrorPanel error={error} onRetry={() => window.location.reload()} />
    </div>
  );
}
