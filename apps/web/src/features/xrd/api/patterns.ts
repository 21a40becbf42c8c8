/** Patterns: measured ones read, normalised and freed of their background; the calculated one of a hit. */
import {
  getXrdHandle2,
  searchByFormula,
  xrdGet,
  xrdNorData,
  xrdReceive,
  xrdRemoveBg,
} from '@unitcell/contract/calls';
import type { ReceivedPattern, ReferencePattern, WithoutBackground, XrdData } from '@unitcell/contract/xrd';
import { useQuery } from '@tanstack/react-query';
import { REFERENCE_WAVELENGTH } from '@unitcell/diffraction';
import { type SearchResult, searchResultOf } from '@unitcell/material';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import type { Hit, Round } from '../view-model.ts';
import { patternText, samplePattern } from '../sample-pattern.ts';

// A sample measurement made from a material of this site, so that a newcomer can try the matcher.

/** What samples are made of, the first that the site has: quartz, else another common powder. */
const SAMPLE_FORMULAS = ['SiO2', 'TiO2', 'NaCl', 'Al2O3', 'Si'];
const QUARTZ = new Set(['P3_121', 'P3_221']);

/** Quartz if it is among them, else the lowest in energy. */
function chosenOf(found: readonly SearchResult[]): SearchResult | undefined {
  const byEnergy = found.toSorted(
    (a, b) => (a.energyAboveHull ?? Infinity) - (b.energyAboveHull ?? Infinity),
  );
  return byEnergy.find(({ spaceGroup }) => QUARTZ.has(spaceGroup)) ?? byEnergy[0];
}

/** Null when the site has none of the common powders. */
export async function makeSampleFile(): Promise<File | null> {
  for (const include of SAMPLE_FORMULAS) {
    const { results } = expectOutcome(await callApi(searchByFormula, { include }));
    const chosen = chosenOf(results.map(searchResultOf));
    if (!chosen) continue;
    const { structId, formula, spaceGroup } = chosen;
    const request = { struct_id: structId, wavelength: REFERENCE_WAVELENGTH, crystalSize: 60 };
    const { data } = expectOutcome(await callApi(getXrdHandle2, request));
    const [peaks] = data;
    const calculated = (peaks?.x ?? []).map((twoThetaDeg, index) => ({
      twoThetaDeg,
      intensity: peaks?.y[index] ?? 0,
    }));
    const name = QUARTZ.has(spaceGroup) ? 'quartz' : formula;
    return new File([patternText(samplePattern(calculated))], `${name}-sample.xy`, { type: 'text/plain' });
  }
  return null;
}

/** @throws ApiError with the server's sentence when the file is no pattern. */
export async function uploadPattern(file: File): Promise<ReceivedPattern> {
  const form = new FormData();
  form.set('xrd-file', file, file.name);
  return expectOutcome(await callApi(xrdReceive, form));
}

export const normalisePattern = async (data: XrdData): Promise<XrdData> =>
  expectOutcome(await callApi(xrdNorData, { xrd_data: data }));

export const removeBackground = async (data: XrdData): Promise<WithoutBackground> =>
  expectOutcome(await callApi(xrdRemoveBg, { xrd_data: data, isNormalize: data.name === 'normlized' }));

/** The calculated pattern of a hit, as the match saw it; idle while there is none. */
export function useReference(round: Round | null, hit: Hit | null, twoThetaMax: number) {
  const request = {
    struct_id: hit?.structId ?? 0,
    crystal_size: round?.result.crystal_size ?? 0,
    radiation: round?.result.radiation ?? '',
    strain: hit?.strain ?? 0,
    two_theta_max: twoThetaMax,
  };
  return useQuery({
    queryKey: ['xrd', 'reference', request],
    enabled: round !== null && hit !== null,
    retry: false,
    staleTime: Infinity,
    queryFn: async ({ signal }): Promise<ReferencePattern> =>
      expectOutcome(await callApi(xrdGet, request, { signal })),
  });
}
