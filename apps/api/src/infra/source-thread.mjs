/**
 * Runs the functions of TypeScript thread files without the production build. It loads the files with tsx.
 * Tests of the api tier build the same sources (TEST_API_BUILD), and this build loads in a tenth of the time.
 */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { TEST_API_BUILD: build } = process.env;

let fromSource;

async function loadTsx() {
  const { register } = await import('tsx/esm/api');
  register();
  return import('./run-task.thread.ts');
}

export async function runTask(message) {
  const built = build && join(build, basename(message.file).replace(/\.ts$/, '.js'));
  if (built && existsSync(built)) {
    const { runTask: run } = await import(pathToFileURL(join(build, 'run-task.thread.js')).href);
    return run({ ...message, file: pathToFileURL(built).href });
  }
  fromSource ??= loadTsx();
  return (await fromSource).runTask(message);
}
