import { createBrowserRouter, type RouteObject } from 'react-router';
import { guardOf } from './guard.ts';
import { PageFrame, RouteFailure } from './page-frame.tsx';
import { pages, type SitePage } from './pages.ts';
import { Shell } from './shell/shell.tsx';

const routeOf = (page: SitePage): RouteObject => ({
  path: page.path,
  loader: guardOf(page),
  errorElement: <RouteFailure />,
  lazy: async () => {
    const { Page } = await page.load();
    const Component = () => (
      <PageFrame page={page}>
        <Page />
      </PageFrame>
    );
    return { Component };
  },
});

export const router = createBrowserRouter([
  { element: <Shell />, hydrateFallbackElement: <div />, children: pages.map(routeOf) },
]);
