/// <reference lib="webworker" />
import type { WorkerAnswer, WorkerRequest } from './messages.ts';
import { solveBands, solveReport } from './solve.ts';

const answer = (request: WorkerRequest): WorkerAnswer => {
  try {
    return request.kind === 'bands'
      ? { kind: 'bands', answer: solveBands(request.request, () => performance.now()) }
      : { kind: 'report', answer: solveReport(request.model) };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
};

self.addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows only
  self.postMessage(answer(data));
});
