import { getData } from '@unitcell/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { callApi } from '../../../lib/api-client.ts';

/** Counters and public contents, in the language of the page. */
export function useAboutData() {
  const { i18n } = useTranslation();
  return useQuery({
    queryKey: ['about', 'data', i18n.language],
    queryFn: ({ signal }) => callApi(getData, undefined, { signal }),
  });
}
