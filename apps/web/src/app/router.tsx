import type { ComponentType } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { guardOf } from './guard.ts';
import { PageFrame, RouteFailure } from './page-frame.tsx';
import { pages, type SitePage } from './pages.ts';
import { Shell } from './shell/shell.tsx';

const files = import.meta.glob<{ readonly Page: ComponentType }>([
  './pages/*.tsx',
  '../features/**/*-page.tsx',
]);
const modules = new Map(Object.entries(files).map(([path, load]) => [path.split('/').at(-1), load]));

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
