import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router-dom';
import { queryClient } from '../lib/query-client.ts';
import { theme } from '../styles/theme.ts';
import { router } from './router.tsx';

/**
 * Providers around the router. The theme's CSS variables come from tokens.css, not from a style element made at run
 * time, so that the content security policy can stay strict and nothing flashes before scripts run.
 */
export function App() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
