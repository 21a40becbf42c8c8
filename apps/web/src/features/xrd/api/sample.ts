/** A sample measurement made from a material of this site, so that a newcomer can try the matcher. */
import { getXrdHandle2, searchByFormula } from '@unitcell/contract';
import { REFERENCE_WAVELENGTH } from '@unitcell/diffraction';
import { type SearchResult, searchResultOf } from '@unitcell/material';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import { patternText, samplePattern } from '../sample-pattern.ts';

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
