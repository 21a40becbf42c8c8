/** Server requests of the material page and the comparison. They use the same keys, so they share the answers. */
import {
  fetchIrvsp,
  getBrillouinZone,
  getPhononModes,
  getPhonons,
  getRelated,
  getStructDetail,
  getXrdHandle,
  getXrdHandle2,
  searchElectrodes,
} from '@unitcell/contract/calls';
import type { MaterialXrd } from '@unitcell/contract/matdata';
import { useMutation, useQuery } from '@tanstack/react-query';
import { answerTo, apiQuery, queryClient, type RequestOf } from '../../lib/api-client.ts';
import { idOf } from '../../lib/format.ts';

/** A material id from an address. */
export const isMaterialId = (id: string): boolean => idOf(id) !== null;

export const materialDetailRequest = (id: string | number): RequestOf<typeof getStructDetail> => ({
  call: getStructDetail,
  body: { struct_id: id },
});

export const materialDetail = (id: string) => apiQuery(materialDetailRequest(id));

/** The detail of one material. An unknown number throws an ApiError with the server's message. */
export const useMaterialDetail = (id: string) => useQuery(materialDetail(id));

/** Prefetches the detail of a material before the page is rendered. */
export function askForMaterial(id: string): void {
  if (isMaterialId(id)) void queryClient.prefetchQuery(materialDetail(id));
}

// Requests of sections, which the page sends together with the request of the detail. `retryOnMount: false`: if
// a request failed before its section mounts, the section shows the error and does not repeat the request.

const ofMaterial = (structId: string) => ({ struct_id: structId });

export const zoneRequest = (structId: string) => ({
  ...apiQuery({ call: getBrillouinZone, body: ofMaterial(structId) }),
  retryOnMount: false,
});

/** The default pattern of a material: Cu Kα, 200 nm. */
export const xrdRequest = (structId: string) => ({
  ...apiQuery({ call: getXrdHandle, body: ofMaterial(structId) }),
  retryOnMount: false,
});

export const topologyRequest = (structId: string) => ({
  ...apiQuery({ call: fetchIrvsp, body: ofMaterial(structId) }),
  retryOnMount: false,
});

/** Electrodes of any working ion in which the material is one of the states of charge. */
export const electrodesRequest = (structId: string) => ({
  ...apiQuery({ call: searchElectrodes, body: ofMaterial(structId) }),
  retryOnMount: false,
});

/** Related materials and windows. */
export const relatedRequest = (structId: string) => ({
  ...apiQuery({ call: getRelated, body: ofMaterial(structId) }),
  retryOnMount: false,
});

/** Phonons are large, so they are requested when their section is drawn. */
export const phononsRequest = (structId: number) =>
  apiQuery({ call: getPhonons, body: ofMaterial(String(structId)) });

export const phononModesRequest = (
  structId: number,
  functional: string,
  [x = 0, y = 0, z = 0]: readonly number[],
) => apiQuery({ call: getPhononModes, body: { struct_id: structId, functional, q: [x, y, z] } });

export interface PatternSettings {
  /** Å */
  readonly wavelength: number;
  /** nm */
  readonly crystalSize: number;
  /** Absent for X-rays. */
  readonly probe?: 'neutron';
}

/** Generates the pattern with other settings. */
export const useGeneratePattern = (structId: number) =>
  useMutation({
    mutationFn: (settings: PatternSettings): Promise<MaterialXrd> =>
      answerTo(getXrdHandle2, { struct_id: structId, ...settings }),
  });
