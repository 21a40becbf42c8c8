/** Renders a component as the app would: theme, query cache, router, English texts. */
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, type RenderResult } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { i18next } from '../i18n/i18n.ts';

export async function renderInApp(
  content: ReactNode,
  { path = '/' }: { readonly path?: string } = {},
): Promise<RenderResult> {
  await i18next.changeLanguage('en');
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={client}>
        <MemoryRouter initialEntries={[path]}>{content}</MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  );
}
