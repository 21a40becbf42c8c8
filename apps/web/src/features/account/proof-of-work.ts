/** Solves the proof of work a server asks for before a text message, in a worker: the page stays at hand. */
import type { ProofOfWork } from '@unitcell/contract/account';
import { observable, useObservable } from '../../lib/observable.ts';
import type { ProofStep } from './proof-of-work.worker.ts';

/** Parts that are done of a proof under way; null when there is none. */
const progress = observable<ProofStep | null>(null);

export const useProofProgress = (): ProofStep | null => useObservable(progress);

/** The proof. Rejects when the browser cannot make one. */
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
