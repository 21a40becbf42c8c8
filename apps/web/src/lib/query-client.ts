/** Server state: one cache for all pages. */
import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-client.ts';

/** Retries only failures that can be temporary. */
const isWorthRetrying = (failures: number, error: Error): boolean =>
  failures < 2 && error instanceof ApiError && error.kind === 'offline';

export const queryClient = new QueryClient({
  defaultOptions: {
    // `always`: by default the library silently pauses queries while the browser reports that it is offline.
    queries: {
      retry: isWorthRetrying,
      staleTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
