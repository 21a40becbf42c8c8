/** A mock site for components under test; it replaces only the network. */
import { vi } from 'vitest';

/**
 * Replaces `fetch`: answers each call by the end of its address, by default with an empty object. Undo with
 * `vi.unstubAllGlobals()`.
 * @returns the list of sent bodies, in order; it grows with every call
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
