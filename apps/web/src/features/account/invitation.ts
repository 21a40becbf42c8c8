/** The browser's half of an invitation: `…/#invite=…`, which signs in once. */
import { inviteLogin } from '@unitcell/contract/calls';
import { translate } from '../../i18n/texts.ts';
import { ApiError, callApi, expectOutcome } from '../../lib/api-client.ts';
import { notify } from '../../lib/notify.ts';
import { currentToken, openLogin, storeToken } from '../../lib/session.ts';
import { instituteTexts } from './institute-texts.ts';
import { askForFactor } from './second-factor.ts';

/** Takes an invitation out of the address and signs in by it. */
export async function takeInvitation(): Promise<void> {
  const [, invite] = /^#invite=([\w.-]+)$/.exec(window.location.hash) ?? [];
  if (invite === undefined) return;
  // It is worth a session: it must not stay in the history.
  window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
  try {
    const { token, second_factor: pending } = expectOutcome(await callApi(inviteLogin, { invite }));
    if (token !== undefined) {
      storeToken(token);
      notify('success', translate(instituteTexts)('invited'));
    } else if (pending) {
      askForFactor(pending);
      openLogin();
    }
  } catch (error) {
    if (error instanceof ApiError && error.message !== '') notify('warning', error.message);
    if (currentToken() === null) openLogin();
  }
}
