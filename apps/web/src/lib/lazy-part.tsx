/**
 * A part of a page whose code is fetched when it is first shown. React's own `lazy` never retries a failed fetch. Here
 * "Try again" (PanelBoundary) and the next opening fetch again, and a slow fetch is reported like a slow answer.
 */
import { type ComponentType, lazy } from 'react';
import { ApiError } from './api-client.ts';
import { reportWaiting } from './server-status.ts';

/** Delay in ms before a failed fetch is retried, for example after a broken connection or with a busy server. */
const AGAIN_MS = 400;

/** Fetches code; a failure is retried once before it is reported. */
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

/** Parts that could not be fetched are fetched again when they are next shown. */
export function renewFailedParts(): void {
  for (const renew of failed) renew();
  failed.clear();
}

/** @param load loads the code; if it rejects, the server counts as unreachable */
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
