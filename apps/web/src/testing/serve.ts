/** A site for components under test: what stands in for the network, nothing else. */
import { vi } from 'vitest';

/**
 * Answers each call by the end of its address, anything else with an empty object; the test undoes it with
 * `vi.unstubAllGlobals()`.
 * @returns the bodies that were sent, in their order, as they come
 */
export function serve(answers: Readonly<Record<string, object>>): unknown[] {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const [, body] = Object.entries(answers).find(([end]) => url.endsWith(end)) ?? [];
    if (typeof init?.body === 'string') sent.push(JSON.parse(init.body));
    return new Response(JSON.stringify(body ?? {}), { headers: { 'Content-Type': 'application/json' } });
  });
  return sent;
}
