import { placeCompound, type PlacedCompound } from '@unitcell/contract';
import { useMutation } from '@tanstack/react-query';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import type { OwnCompound } from '../own-compound.ts';

export interface PlaceRequest extends OwnCompound {
  /** Components of the diagram. */
  readonly include: string;
  readonly functional: string;
}

export const usePlaceCompound = () =>
  useMutation({
    mutationFn: async ({ include, functional, ...own }: PlaceRequest): Promise<PlacedCompound> =>
      expectOutcome(
        await callApi(placeCompound, {
          include,
          functional,
          formula: own.formula,
          energy_per_atom: own.energyPerAtom,
          energy_kind: own.energyKind,
        }),
      ),
  });
