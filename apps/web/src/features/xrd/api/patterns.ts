/** Powder patterns: measured ones are uploaded, normalised and freed of background; calculated ones come from hits. */
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

// A simulated measurement of a material of this site, for trying the matcher.

/** Materials for the sample, in order of preference: quartz, then other common powders. */
const SAMPLE_FORMULAS = ['SiO2', 'TiO2', 'NaCl', 'Al2O3', 'Si'];
const QUARTZ = new Set(['P3_121', 'P3_221']);

/** Quartz if present, otherwise the lowest in energy. */
function chosenOf(found: readonly SearchResult[]): SearchResult | undefined {
  const byEnergy = found.toSorted(
    (a, b) => (a.energyAboveHull ?? Infinity) - (b.energyAboveHull ?? Infinity),
  );
  return byEnergy.find(({ spaceGroup }) => QUARTZ.has(spaceGroup)) ?? byEnergy[0];
}

/** Null if the site has none of the common powders. */
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

/** @throws ApiError with the server's message if the file is not a pattern */
export async function uploadPattern(file: File): Promise<ReceivedPattern> {
  const form = new FormData();
  form.set('xrd-file', file, file.name);
  return expectOutcome(await callApi(xrdReceive, form));
}

export const normalisePattern = async (data: XrdData): Promise<XrdData> =>
  expectOutcome(await callApi(xrdNorData, { xrd_data: data }));

export const removeBackground = async (data: XrdData): Promise<WithoutBackground> =>
  expectOutcome(await callApi(xrdRemoveBg, { xrd_data: data, isNormalize: data.name === 'normlized' }));

/** The calculated pattern of a hit, as used in the match; idle without a hit. */
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
