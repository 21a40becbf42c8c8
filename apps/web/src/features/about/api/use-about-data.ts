import { getData } from '@unitcell/contract/calls';
import { useQuery } from '@tanstack/react-query';
import { useLanguage } from '../../../i18n/i18n.ts';
import { apiQuery } from '../../../lib/api-client.ts';

/** Counters and public contents, in the language of the page. */
export function useAboutData() {
  const language = useLanguage();
  return useQuery(apiQuery({ call: getData, body: undefined }, language));
}
