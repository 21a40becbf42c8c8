import { getData } from '@unitcell/contract/calls';
import { useQuery } from '@tanstack/react-query';
import { useLanguage } from '../i18n/i18n.ts';
import { callApi } from './api-client.ts';

/** Counters and public contents, in the language of the page. */
export function useAboutData() {
  const language = useLanguage();
  return useQuery({
    queryKey: ['about', 'data', language],
    queryFn: ({ signal }) => callApi(getData, undefined, { signal }),
  });
}

/** Whether the operator named somewhere to write to. */
export const isMailbox = (contact: string): boolean => /^[^\s@?&]+@[^\s@?&]+$/.test(contact);
