/** Server state: one cache for all pages. */
import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-client.ts';

/** Only what may mend itself is tried again. */
const isWorthRetrying = (failures: number, error: Error): boolean =>
  failures < 2 && error instanceof ApiError && error.kind === 'offline';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: isWorthRetrying, staleTime: 5 * 60_000, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
});
