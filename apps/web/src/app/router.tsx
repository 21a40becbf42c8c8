import type { ComponentType } from 'react';
import { createBrowserRouter, type Params, type RouteObject } from 'react-router';
import { fetchCode } from '../lib/lazy-part.tsx';
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

/** What pages ask the server for first: asked while their code is still on its way. */
const firstQuestions: Readonly<Record<string, (params: Params) => Promise<void>>> = {
  '/matdatades/:id': async ({ id = '' }) =>
    (await import('../features/matdata/api/use-material-detail.ts')).askForMaterial(id),
};

const routeOf = (page: SitePage): RouteObject => ({
  path: page.path,
  loader: async (args) => {
    const elsewhere = await guardOf(page)(args);
    // A page whose code cannot be fetched says so itself.
    if (elsewhere === null) firstQuestions[page.path]?.(args.params).catch(() => undefined);
    return elsewhere;
  },
  errorElement: <RouteFailure />,
  lazy: async () => {
    // A `lazy` that rejects would leave the outlet empty: the failure is a page like any other.
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
]);
