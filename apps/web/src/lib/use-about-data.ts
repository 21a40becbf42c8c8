import { getData } from '@unitcell/contract/calls';
import { useQuery } from '@tanstack/react-query';
import { useLanguage } from '../i18n/i18n.ts';
import { apiQuery, callApi } from './api-client.ts';

/** Counters and public contents, in the language of the page. */
export function useAboutData() {
  const language = useLanguage();
  return useQuery(apiQuery({ call: getData, body: undefined }, language));
}

/** True if the contact set by the operator is a mail address. */
export const isMailbox = (contact: string): boolean => /^[^\s@?&]+@[^\s@?&]+$/.test(contact);

/** Checks whether the server answers; the client reports it to the shell (lib/server-status.ts). */
export async function askServer(): Promise<void> {
  await callApi(getData, undefined).catch(() => undefined);
}
