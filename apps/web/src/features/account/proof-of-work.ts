/** Solves the proof of work required before a text message. It runs in a worker, so that the page stays responsive. */
import type { ProofOfWork } from '@unitcell/contract/account';
import { observable, useObservable } from '../../lib/observable.ts';
import type { ProofStep } from './proof-of-work.worker.ts';

/** Progress of the current proof of work; null if none is being computed. */
const progress = observable<ProofStep | null>(null);

export const useProofProgress = (): ProofStep | null => useObservable(progress);

/** Solves the proof of work. Rejects if the browser cannot compute it. */
export async function solveProof(asked: ProofOfWork): Promise<string> {
  const worker = new Worker(new URL('./proof-of-work.worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<ProofStep>) => {
        if (data.proof === null) progress.set(data);
        else resolve(data.proof);
      });
      worker.addEventListener('error', ({ message }) => reject(new Error(message)));
      // A worker has no target origin; the rule is about windows.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage(asked);
    });
  } finally {
    worker.terminate();
    progress.set(null);
  }
}
