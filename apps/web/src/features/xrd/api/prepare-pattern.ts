/** What is done to a pattern before it is matched: read, normalised, freed of its background. */
import {
  type ReceivedPattern,
  type WithoutBackground,
  type XrdData,
  xrdNorData,
  xrdReceive,
  xrdRemoveBg,
} from '@unitcell/contract';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';

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
