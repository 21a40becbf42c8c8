/** The login token, the login popup and the page to open after signing in. */
import { observable, useObservable } from './observable.ts';
import { readStored, writeStored } from './storage.ts';
import { forgetVisits } from './visits.ts';

const TOKEN_KEY = 'userToken';
const TARGET_KEY = 'afterLogin';

const token = observable<string | null>(readStored(TOKEN_KEY));
const loginOpen = observable(false);
const endedByServer = observable(0);

// Signing in or out in another tab also applies to this tab.
if (typeof window !== 'undefined')
  window.addEventListener('storage', (event) => {
    if (event.key === TOKEN_KEY || event.key === null) token.set(readStored(TOKEN_KEY));
  });

export const currentToken = (): string | null => token.get();
export const useToken = (): string | null => useObservable(token);
/** Calls the listener after every sign-in and sign-out, in this tab or in another one. */
export const onTokenChange = token.subscribe;

export function storeToken(value: string | null): void {
  writeStored(TOKEN_KEY, value);
  if (value === null) forgetVisits();
  token.set(value);
}

/** Removes a token that the server rejected. */
export function endSession(): void {
  storeToken(null);
  endedByServer.set(endedByServer.get() + 1);
}

/** Number of sessions ended by the server since the page was loaded. */
export const useEndedSessions = (): number => useObservable(endedByServer);

/** Opens the login popup; `target` (a path of this site) is opened afterwards. */
export function openLogin(target?: string): void {
  if (target !== undefined) writeStored(TARGET_KEY, target, 'session');
  loginOpen.set(true);
}

export const closeLogin = (): void => loginOpen.set(false);
export const useLoginOpen = (): boolean => useObservable(loginOpen);

/** Returns the stored target and removes it. Only paths of this site are followed. */
export function takeLoginTarget(): string | null {
  const target = readStored(TARGET_KEY, 'session');
  writeStored(TARGET_KEY, null, 'session');
  return target !== null && /^\/(?![/\\])/.test(target) ? target : null;
}
