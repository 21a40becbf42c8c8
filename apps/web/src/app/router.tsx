import type { ComponentType } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { guardOf } from './guard.ts';
import { PageFrame, RouteFailure } from './page-frame.tsx';
import { pages, type SitePage } from './pages.ts';
import { Shell } from './shell/shell.tsx';

interface PageModule {
  readonly Page: ComponentType;
}
/** By name; of two of one name the one that joins features is the page. */
const modules = new Map(
  Object.entries({
    ...import.meta.glob<PageModule>('../features/**/*-page.tsx'),
    ...import.meta.glob<PageModule>('./pages/*.tsx'),
  }).map(([path, load]) => [path.split('/').at(-1), load]),
);

const routeOf = (page: SitePage): RouteObject => ({
  path: page.path,
  loader: guardOf(page),
  errorElement: <RouteFailure />,
  lazy: async () => {
    // A `lazy` that rejects would leave the outlet empty: the failure is a page like any other.
    const load = modules.get(`${page.module}.tsx`);
    const { Page = RouteFailure } = (await load?.().catch(() => undefined)) ?? {};
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
]);
