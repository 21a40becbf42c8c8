/** Renders a component as the app would: theme, query cache, router, texts. */
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { configure, getConfig, render, type RenderResult } from '@testing-library/react';
import * as React from 'react';
import { MemoryRouter } from 'react-router-dom';
import { i18next, type Language } from '../i18n/i18n.ts';

// Long timeout, because tests wait for elements to appear and must not depend on the load of the machine.
configure({ asyncUtilTimeout: 240_000 });

// A waiting query drops the error of each attempt but the last one. Only that one lists the elements of the page.
const { getElementError } = getConfig();
configure({
  getElementError: (message, container) =>
    Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true
      ? Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
      : getElementError(message, container),
});

// React records a stack trace for every element that it creates, which took a fifth of the time. It stops at this count.
Object.defineProperty(
  Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'),
  'recentlyCreatedOwnerStacks',
  { get: () => 10_000, set: () => {} },
);

interface RenderOptions {
  readonly path?: string;
  readonly language?: Language;
  /** True if the content has its own router. */
  readonly isRouted?: boolean;
}

export async function renderInApp(
  content: React.ReactNode,
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
