/** Who may see a route; runs before its page loads (spec §2.1). */
import { type LoaderFunctionArgs, redirect, replace } from 'react-router-dom';
import { takeInvitation } from '../features/account/invitation.ts';
import { takeReturn } from '../features/account/third-party.ts';
import { currentToken, openLogin } from '../lib/session.ts';
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
  async ({ request }: LoaderFunctionArgs): Promise<Response | null> => {
    await takeInvitation();
    const url = new URL(request.url);
    // What a third-party sign-in brought back leaves the address before anything is shown.
    const returned = await takeReturn(url);
    if (returned !== null) return replace(returned);
    const decision = decideAccess(page, currentToken() !== null, url.pathname + url.search);
    if (decision.askLoginFor !== null) openLogin(decision.askLoginFor);
    return decision.redirectTo === null ? null : redirect(decision.redirectTo);
  };
