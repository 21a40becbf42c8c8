import { type ChemicalPotentials, getChemicalPotentials } from '@unitcell/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { callApi, expectOutcome, type SentRequest } from '../../../lib/api-client.ts';

/** What is asked for a compound of the diagram. */
export const potentialsRequest = (
  include: string,
  formula: string,
  functional: string,
): SentRequest<typeof getChemicalPotentials> => ({
  call: getChemicalPotentials,
  body: { include, formula, functional },
});

/** Idle while no compound is chosen. */
export const useChemicalPotentials = (include: string, formula: string | null, functional: string) =>
  useQuery({
    queryKey: ['chemical-potentials', include, formula, functional],
    enabled: formula !== null,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<ChemicalPotentials> => {
      const { call, body } = potentialsRequest(include, formula ?? '', functional);
      return expectOutcome(await callApi(call, body, { signal }));
    },
  });
