/** Builds api and web client for production (the Dockerfile's build step). Needs the dependencies installed. */
import { buildApi, buildWeb } from './lib/bundle.mjs';
import { generatePrismaClient } from './lib/install.mjs';
import { createProgress } from './lib/progress.mjs';
import { explain } from './lib/sentence.mjs';

try {
  const progress = createProgress();
  await progress.step('Generating the database client', generatePrismaClient);
  await progress.step('Building the api', buildApi);
  await progress.step('Building the web client', buildWeb);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
