import { interfaceReceive } from '@unitcell/contract/calls';
import type { InterfaceResult } from '@unitcell/contract/interface-reaction';
import { useQuery } from '@tanstack/react-query';
import { callApi, expectOutcome, type RequestOf } from '../../../lib/api-client.ts';
import type { ReactionQuery } from '../view-model.ts';

export const reactionRequest = (query: ReactionQuery): RequestOf<typeof interfaceReceive> => ({
  call: interfaceReceive,
  body: {
    reactant1: query.reactant1,
    reactant2: query.reactant2,
    ...(query.openElement === ''
      ? {}
      : { open_element: query.openElement, chemical_potential: query.chemicalPotential }),
    ...(query.usesHullEnergy ? { use_hull_energy: true } : {}),
    ...(query.scale === null ? {} : { functional: query.scale }),
  },
});

/** Reactions between two reactants; idle until both are given. */
export const useInterfaceReaction = (query: ReactionQuery) =>
  useQuery({
    queryKey: ['interface-reaction', query],
    enabled: query.reactant1 !== '' && query.reactant2 !== '',
    retry: false,
    // While the slider of the chemical potential moves, the last plot stays.
    placeholderData: (previous: InterfaceResult | undefined, previousQuery) => {
      const before = previousQuery?.queryKey[1] as ReactionQuery | undefined;
      const isSame =
        before?.reactant1 === query.reactant1 &&
        before.reactant2 === query.reactant2 &&
        before.scale === query.scale;
      return isSame ? previous : undefined;
    },
    queryFn: async ({ signal }): Promise<InterfaceResult> => {
      const { call, body } = reactionRequest(query);
      return expectOutcome(await callApi(call, body, { signal }));
    },
  });
