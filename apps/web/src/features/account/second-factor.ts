/** A sign-in waiting for its second factor. Kept in memory and shown by the login popup. */
import type { SecondFactorPending } from '@unitcell/contract/account';
import { observable, useObservable } from '../../lib/observable.ts';

const pending = observable<SecondFactorPending | null>(null);

export const usePendingFactor = (): SecondFactorPending | null => useObservable(pending);
export const askForFactor = (asked: SecondFactorPending): void => pending.set(asked);
export const dropPendingFactor = (): void => pending.set(null);
