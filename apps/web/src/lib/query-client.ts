/** Server state: one cache for all pages. */
import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-client.ts';

/** Only what may mend itself is tried again. */
const isWorthRetrying = (failures: number, error: Error): boolean =>
  failures < 2 && error instanceof ApiError && error.kind === 'offline';

export const queryClient = new QueryClient({
  defaultOptions: {
    // `always`: left to itself the library keeps questions back while the browser says it is offline, without a word.
    queries: {
      retry: isWorthRetrying,
      staleTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
