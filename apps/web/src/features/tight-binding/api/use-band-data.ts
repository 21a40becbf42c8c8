import { useQuery } from '@tanstack/react-query';
import type { CallRequest } from '@unitcell/contract';
import { getBandData, getLatticeStructure } from '@unitcell/contract/calls';
import { useState } from 'react';
import { useFailure } from '../../../components/failure.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { apiQuery, type RequestOf } from '../../../lib/api-client.ts';
import { scientificText } from '../../../lib/scientific.ts';
import type { BandsAnswer, ModelSettings } from '../solver/messages.ts';
import { K_POINTS } from '../solver/solve.ts';
import { tightBindingTexts } from '../texts.ts';

/**
 * The request of the button Generate, which also calculates the model on the server and compares the results. A new
 * lattice sends it automatically (spec §4.11).
 */
export const requestOf = (model: ModelSettings, isNew: boolean): BandDataRequest => ({
  grid_id: model.net.id,
  t1_ratio: model.t1,
  t2_ratio: model.t2,
  onsites_symbol: [...model.onsite],
  new_grid: isNew && model.onsite.every((energy) => energy === 0),
  t2_rule: model.rule,
  haldane_flux: model.fluxRad,
  k_points: K_POINTS,
});

/** Largest difference between two sets of bands; undefined if their sizes differ. */
export function largestDifference(
  ours: readonly (readonly number[])[],
  theirs: readonly { readonly y: readonly number[] }[],
): number | undefined {
  if (ours.length !== theirs.length) return undefined;
  let largest = 0;
  for (const [band, energies] of ours.entries())
    for (const [point, energy] of energies.entries())
      largest = Math.max(largest, Math.abs(energy - (theirs[band]?.y[point] ?? Number.NaN)));
  return Number.isNaN(largest) ? undefined : largest;
}

/**
 * Largest difference between browser and server that counts as agreement: both do the same calculation, up to rounding.
 */
const AGREEMENT = 1e-9;

const sameModel = (a: ModelSettings, b: ModelSettings): boolean =>
  JSON.stringify(requestOf(a, false)) === JSON.stringify(requestOf(b, false));

export function useServerCheck(model: ModelSettings, answer: BandsAnswer | null) {
  const { t } = useTexts(tightBindingTexts);
  const sentence = useFailure();
  const [asked, setAsked] = useState({ model, isNew: true });
  if (asked.model.net.id !== model.net.id) setAsked({ model, isNew: true });
  const query = useBandData(requestOf(asked.model, asked.isNew));

  const generate = (): void => {
    if (!asked.isNew && sameModel(asked.model, model)) void query.refetch();
    else setAsked({ model, isNew: false });
  };
  const remark = (): string => {
    if (query.isFetching) return t('generating');
    if (!answer || !sameModel(asked.model, model) || !sameModel(answer.model, model)) return t('serverIdle');
    if (query.error) return t('serverFailed', { message: sentence(query.error) });
    const difference = query.data && largestDifference(answer.bands, query.data.plotly_data);
    if (difference === undefined) return t('serverIdle');
    return difference < AGREEMENT
      ? t('serverSame', {
          difference: difference === 0 ? '0' : scientificText(Number(difference.toPrecision(1))),
        })
      : t('serverOther', { difference: scientificText(Number(difference.toPrecision(2))) });
  };
  return { generate, isGenerating: query.isFetching, remark: remark() };
}

/** Viewer script and kinds of site, from the server. */
export const useLatticeStructure = (gridId: string) =>
  useQuery({
    ...apiQuery({ call: getLatticeStructure, body: { grid_id: gridId } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

export type BandDataRequest = CallRequest<typeof getBandData>;

export const bandDataRequest = (body: BandDataRequest): RequestOf<typeof getBandData> => ({
  call: getBandData,
  body,
});

/** Bands calculated by the server. */
export const useBandData = (request: BandDataRequest) =>
  useQuery({
    ...apiQuery({ call: getBandData, body: request }),
    retry: false,
  });
