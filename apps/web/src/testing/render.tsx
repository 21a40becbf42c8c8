/** Renders a component as the app would: theme, query cache, router, texts. */
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { configure, render, type RenderResult } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { i18next, type Language } from '../i18n/i18n.ts';

// Long timeout, because tests wait for elements to appear and must not depend on the load of the machine.
configure({ asyncUtilTimeout: 240_000 });

interface RenderOptions {
  readonly path?: string;
  readonly language?: Language;
  /** True if the content has its own router. */
  readonly isRouted?: boolean;
}

export async function renderInApp(
  content: ReactNode,
  { path = '/', language = 'en', isRouted = false }: RenderOptions = {},
): Promise<RenderResult> {
  await i18next.changeLanguage(language);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={client}>
        {isRouted ? content : <MemoryRouter initialEntries={[path]}>{content}</MemoryRouter>}
      </QueryClientProvider>
    </MantineProvider>,
  );
}
