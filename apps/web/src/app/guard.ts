/** Who may see a route; runs before its page loads (spec §2.1). */
import { type LoaderFunctionArgs, redirect } from 'react-router';
import { currentToken, openLogin, storeToken } from '../lib/session.ts';
import type { SitePage } from './pages.ts';

export interface GuardDecision {
  readonly redirectTo: string | null;
  /** Where the visitor wanted to go, to be remembered for after the login. */
  readonly askLoginFor: string | null;
}

/** Without a token closed pages lead to / and the login; with one, / leads to the search. */
export function decideAccess(
  page: Pick<SitePage, 'path' | 'access'>,
  hasToken: boolean,
  target: string,
): GuardDecision {
  if (page.access === 'user' && !hasToken) return { redirectTo: '/', askLoginFor: target };
  if (page.path === '/' && hasToken) return { redirectTo: '/matdata', askLoginFor: null };
  return { redirectTo: null, askLoginFor: null };
}

export const guardOf =
  (page: SitePage) =>
  ({ request }: LoaderFunctionArgs): Response | null => {
    const url = new URL(request.url);
    takeReturnedToken(url);
    const decision = decideAccess(page, currentToken() !== null, url.pathname + url.search);
    if (decision.askLoginFor !== null) openLogin(decision.askLoginFor);
    return decision.redirectTo === null ? null : redirect(decision.redirectTo);
  };

/** A third-party sign-in comes back with `?token=`: it is stored here and leaves the address at once. */
function takeReturnedToken(url: URL): void {
  const ticket = url.searchParams.get('token');
  if (ticket === null || ticket === '') return;
  storeToken(ticket);
  url.searchParams.delete('token');
  window.history.replaceState(window.history.state, '', url.pathname + url.search + url.hash);
}
