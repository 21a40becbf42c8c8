/** Decides who may see a route, before its page loads (spec §2.1). */
import { inviteLogin } from '@unitcell/contract/calls';
import { type LoaderFunctionArgs, redirect, replace } from 'react-router-dom';
import { askForFactor, takeReturn } from '../features/account/third-party.ts';
import { translate } from '../i18n/texts.ts';
import { answerTo, ApiError } from '../lib/api-client.ts';
import { notify } from '../lib/notify.ts';
import { currentToken, openLogin, storeToken } from '../lib/session.ts';
import type { SitePage } from './pages.ts';
import { shellTexts } from './shell/texts.ts';

/** Signs in with an invitation from the address, and removes the invitation from the address. */
async function takeInvitation(): Promise<void> {
  const [, invite] = /^#invite=([\w.-]+)$/.exec(window.location.hash) ?? [];
  if (invite === undefined) return;
  // An invitation grants a session, so it must not stay in the history.
  window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
  try {
    const { token, second_factor: pending } = await answerTo(inviteLogin, { invite });
    if (token !== undefined) {
      storeToken(token);
      notify('success', translate(shellTexts)('invited'));
    } else if (pending) {
      askForFactor(pending);
      openLogin();
    }
  } catch (error) {
    if (error instanceof ApiError && error.message !== '') notify('warning', error.message);
    if (currentToken() === null) openLogin();
  }
}

export interface GuardDecision {
  readonly redirectTo: string | null;
  /** The page the visitor requested, to be remembered until after the login. */
  readonly askLoginFor: string | null;
}

/**
 * Without a token, pages that need an account redirect to / and open the login; with a token, / redirects to the
 * search.
 */
export function decideAccess(
  page: Pick<SitePage, 'path' | 'isPublic'>,
  hasToken: boolean,
  target: string,
): GuardDecision {
  if (!page.isPublic && !hasToken) return { redirectTo: '/', askLoginFor: target };
  if (page.path === '/' && hasToken) return { redirectTo: '/matdata', askLoginFor: null };
  return { redirectTo: null, askLoginFor: null };
}

export const guardOf =
  (page: SitePage) =>
  async ({ request }: LoaderFunctionArgs): Promise<Response | null> => {
    await takeInvitation();
    const url = new URL(request.url);
    // Removes the result of a third-party sign-in from the address before anything is shown.
    const returned = await takeReturn(url);
    if (returned !== null) return replace(returned);
    // The router's request has no hash. After a load or at the end of a session, the window's address still
    // has it.
    const { pathname, search, hash } = window.location;
    const target = url.pathname + url.search;
    const decision = decideAccess(
      page,
      currentToken() !== null,
      pathname + search === target ? target + hash : target,
    );
    if (decision.askLoginFor !== null) openLogin(decision.askLoginFor);
    return decision.redirectTo === null ? null : redirect(decision.redirectTo);
  };
