/** Refusals of the potential as messages. Does not import the potential, which only its thread loads. */
import type { IonBarriersJson } from '@unitcell/contract/run4u';
import type { ScienceError } from '@unitcell/errors';
import type { StoredBarriers } from '../../infra/stored-json.ts';
import {
  isMessageKey,
  type MessageParameters,
  type NestedMessage,
  type Translate,
} from '../../messages/messages.ts';

/** The reason of a refusal, for translation. An error from a thread has lost its class, so its code is used. */
export function refusalMessage(error: ScienceError): NestedMessage {
  const { package: from, code, message, parameters } = error;
  const key = from === 'potential' ? `potential.reason.${code}` : error.id;
  const shown = Object.entries(parameters).flatMap(([name, value]) => {
    if (name === 'distance' && typeof value === 'number') return [[name, value.toFixed(2)]];
    return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [];
  });
  return {
    key: isMessageKey(key) ? key : 'potential.reason.other',
    parameters: { ...(Object.fromEntries(shown) as MessageParameters), code, message },
  };
}

/** Barriers with their refusals in the language of the reader. */
export const translatedBarriers = (barriers: StoredBarriers, t: Translate): IonBarriersJson => ({
  ...barriers,
  hops: barriers.hops.map(({ refusal, ...hop }) => ({
    ...hop,
    ...(refusal !== undefined && {
      refusal: typeof refusal === 'string' ? refusal : t(refusal.key, refusal.parameters),
    }),
  })),
});
