import { type ComponentType, type ReactNode, useEffect, useRef } from 'react';
import { createBrowserRouter, type Params, type RouteObject, useRouteError } from 'react-router-dom';
import { fetchCode } from '../lib/lazy-part.tsx';
import { guardOf } from './guard.ts';
import { framedPages, pages, type SitePage } from './pages.ts';
import { Shell } from './shell/shell.tsx';
import { ErrorPanel, PanelBoundary } from '../components/failure.tsx';
import { currentLanguage } from '../i18n/i18n.ts';
import { useTexts } from '../i18n/texts.ts';
import { ApiError } from '../lib/api-client.ts';
import { useServerReachable } from '../lib/server-status.ts';
import { askServer } from '../lib/use-about-data.ts';
import { shellTexts } from './shell/texts.ts';

// Sets the page title, and shows a fallback if the page fails.

function PageFrame({ page, children }: { readonly page: SitePage; readonly children: ReactNode }) {
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
 * Shown if the code of a route could not be loaded, because of a new release or because the server is down. Reloading
 * helps in both cases, and happens automatically when the server is back.
 */
function RouteFailure() {
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

interface PageModule {
  readonly Page: ComponentType;
}
/** Modules by name. If two modules have the same name, the one in `pages/`, which combines features, is used. */
const modules = new Map(
  Object.entries({
    ...import.meta.glob<PageModule>('../features/**/*-page.tsx'),
    ...import.meta.glob<PageModule>('./pages/*.tsx'),
  }).map(([path, load]) => [path.split('/').at(-1), load]),
);

/** First server requests of pages, sent while their code is still loading. */
const firstQuestions: Readonly<Record<string, (params: Params) => Promise<void>>> = {
  '/matdatades/:id': async ({ id = '' }) =>
    (await import('../features/material/material-requests.ts')).askForMaterial(id),
};

const routeOf = (page: SitePage): RouteObject => ({
  path: page.path,
  loader: async (args) => {
    const elsewhere = await guardOf(page)(args);
    // The page itself shows the error of a failed request.
    if (elsewhere === null) firstQuestions[page.path]?.(args.params).catch(() => undefined);
    return elsewhere;
  },
  errorElement: <RouteFailure />,
  lazy: async () => {
    // A `lazy` that rejects would leave the outlet empty, so the failure is shown as a page.
    const load = modules.get(`${page.module}.tsx`);
    const { Page = RouteFailure } = (load && (await fetchCode(load).catch(() => undefined))) ?? {};
    const Component = () => (
      <PageFrame page={page}>
        <Page />
      </PageFrame>
    );
    return { Component };
  },
});

export const router = createBrowserRouter([
  {
    element: <Shell />,
    errorElement: <RouteFailure />,
    hydrateFallbackElement: <div />,
    children: pages.map(routeOf),
  },
  ...framedPages.map((page): RouteObject => ({ ...routeOf(page), hydrateFallbackElement: <div /> })),
]);
