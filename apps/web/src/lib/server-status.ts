/** Whether the server answers at all. The shell shows a banner while it does not. */
import { observable, useObservable } from './observable.ts';

const reachable = observable(true);

export const reportReachable = (isReachable: boolean): void => reachable.set(isReachable);
export const useServerReachable = (): boolean => useObservable(reachable);
