/** Relaxes a crystal, so that the page does not wait. Terminated by the page to stop it. */
import { fastEngine } from '@unitcell/potential';
import { openModel } from './open-model.ts';
import { failureOf, type RelaxMessage, type RelaxRequest, runRelaxation } from './relax-run.ts';

// A worker has no target origin; the rule is about windows.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const tell = (message: RelaxMessage): void => self.postMessage(message);

async function answer(request: RelaxRequest): Promise<void> {
  try {
    runRelaxation(fastEngine(await openModel()), request, tell);
  } catch (error) {
    tell(failureOf(error));
  }
}

self.addEventListener('message', ({ data }: MessageEvent<RelaxRequest>) => void answer(data));
