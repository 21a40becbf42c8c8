/**
 * A part of a page whose code is fetched when it is first shown. React's own `lazy` keeps a fetch that failed for ever: here
 * "Try again" (PanelBoundary) and the next opening fetch once more, and a slow fetch is said like a slow answer.
 */
import { type ComponentType, lazy } from 'react';
import { ApiError } from './api-client.ts';
import { reportWaiting } from './server-status.ts';

/** ms until a fetch that failed is tried once more: a connection that was cut, a server that had no hand free. */
const AGAIN_MS = 400;

/** Fetches code; what failed once is tried once more before anybody hears of it. */
export async function fetchCode<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    return await load();
  } catch {
    await new Promise((resolve) => {
      setTimeout(resolve, AGAIN_MS);
    });
    return load();
  }
}

const failed = new Set<() => void>();

/** What could not be fetched is fetched anew when it is next shown. */
export function renewFailedParts(): void {
  for (const renew of failed) renew();
  failed.clear();
}

/** @param load of which a rejection is shown as a server that cannot be reached */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const make = (): ComponentType<Props> =>
    lazy<ComponentType<Props>>(async () => {
      const stopWaiting = reportWaiting();
      try {
        return { default: await fetchCode(load) };
      } catch {
        failed.add(renew);
        throw new ApiError(0, '');
      } finally {
        stopWaiting();
      }
    });
  let current = make();
  const renew = (): void => {
    current = make();
  };
  return function LazyPart(props: Props) {
    const Current = current;
    return <Current {...props} />;
  };
}
