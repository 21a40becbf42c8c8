/** `node tools/run.mjs build`: builds api and web client for production (the Dockerfile's build step). */
import { createProgress } from '../../lib/progress.mjs';
import { buildApi, buildWeb } from '../bundle.ts';

export async function main(): Promise<void> {
  const progress = createProgress();
  await progress.step('Building the api', buildApi);
  await progress.step('Building the web client', buildWeb);
}
