import {
  getChemicalPotentials,
  getPhaseDiagram,
  phaseDiagramHandle,
  placeCompound,
} from '@unitcell/contract/calls';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery, type RequestOf } from '../../../lib/api-client.ts';
import type { OpenGasState } from '../../../components/open-gas/open-gas-state.ts';
import type { OwnCompound } from '../own-compound.ts';

const NO_COMPOUND: OwnCompound = { formula: '', energyPerAtom: 0, energyKind: 'formation' };

interface PlaceRequest extends OwnCompound {
  /** Components of the diagram. */
  readonly include: string;
  readonly functional: string;
}

const placeRequest = ({ include, functional, ...own }: PlaceRequest): RequestOf<typeof placeCompound> => ({
  call: placeCompound,
  body: {
    include,
    functional,
    formula: own.formula,
    energy_per_atom: own.energyPerAtom,
    energy_kind: own.energyKind,
  },
});

/** The visitor's own compound in a diagram; idle while there is none. */
export const usePlacedCompound = (include: string, functional: string, own: OwnCompound | null) =>
  useQuery({
    ...apiQuery(placeRequest({ include, functional, ...(own ?? NO_COMPOUND) })),
    enabled: own !== null,
    retry: false,
  });

/**
 * The request for the chemical potentials at which a compound of the diagram is stable.
 * @param ownEnergy formation energy in eV/atom, if the compound is the visitor's own
 */
export const potentialsRequest = (
  include: string,
  formula: string,
  functional: string,
  ownEnergy: number | null = null,
): RequestOf<typeof getChemicalPotentials> => ({
  call: getChemicalPotentials,
  body: { include, formula, functional, ...(ownEnergy === null ? {} : { energy_per_atom: ownEnergy }) },
});

/** Idle until a compound is selected. */
export const useChemicalPotentials = (
  include: string,
  formula: string | null,
  functional: string,
  ownEnergy: number | null,
) =>
  useQuery({
    ...apiQuery(potentialsRequest(include, formula ?? '', functional, ownEnergy)),
    enabled: formula !== null,
    retry: false,
    placeholderData: keepPreviousData,
  });

/** The request for the typed components. */
export const diagramRequest = (
  include: string,
  functional: string | null,
  reservoir: OpenGasState | null = null,
  temperature: number | null = null,
): RequestOf<typeof phaseDiagramHandle> => ({
  call: phaseDiagramHandle,
  body: {
    include,
    ...(reservoir ? { reservoir: { ...reservoir } } : {}),
    ...(temperature === null ? {} : { temperature }),
    ...(functional ? { functional } : {}),
  },
});

/** The request for the diagram around a material. */
export const diagramOfRequest = (
  elements: readonly string[],
  functional: string | null,
): RequestOf<typeof getPhaseDiagram> => ({
  call: getPhaseDiagram,
  body: { include: [...elements], n: String(elements.length), ...(functional ? { functional } : {}) },
});

/**
 * The diagram of the typed components; idle while there are none. While the same system is calculated at another
 * temperature, the previous diagram is returned.
 */
export const usePhaseDiagram = (
  include: string | null,
  functional: string | null,
  reservoir: OpenGasState | null,
  temperature: number | null,
) => {
  const system = [include, functional, reservoir?.gas, reservoir?.second?.gas].join(' ');
  return useQuery({
    ...apiQuery(diagramRequest(include ?? '', functional, reservoir, temperature)),
    enabled: include !== null && include !== '',
    retry: false,
    meta: { system },
    placeholderData: (last, lastQuery) => (lastQuery?.meta?.system === system ? last : undefined),
  });
};

/** The diagram around a material of these elements. */
export const usePhaseDiagramOf = (elements: readonly string[], functional: string | null) =>
  useQuery({
    ...apiQuery(diagramOfRequest(elements, functional)),
    retry: false,
  });
