import { type CallAnswer, run4uExpect } from '@unitcell/contract';
import type { StructureJson } from '@unitcell/material';
import { useQuery } from '@tanstack/react-query';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import { currentLanguage } from '../../../i18n/i18n.ts';

export type Expected = CallAnswer<typeof run4uExpect>;

/** What is to be expected of a structure before it is submitted. */
export const useExpectation = (structure: StructureJson) =>
  useQuery({
    queryKey: ['run4u', 'expect', structure, currentLanguage()],
    retry: false,
    queryFn: async ({ signal }): Promise<Expected> =>
      expectOutcome(await callApi(run4uExpect, { structure }, { signal })),
  });
