import type * as Testcontainers from 'testcontainers';
import { capture } from '../lib/run.mjs';

const ENGINE_ANSWER_MS = 3000;
const CONTAINER_START_MS = 60_000;

/**
 * Starts a container for a test run.
 * @returns undefined where no engine answers, or it cannot get the image within a minute
 */
export async function startContainer(
  describe: (testcontainers: typeof Testcontainers) => Testcontainers.GenericContainer,
): Promise<Testcontainers.StartedTestContainer | undefined> {
  // Asking the client costs nothing where there is none; testcontainers itself is slow to load.
  const { code } = await capture('docker', ['version', '--format', '{{.Server.Version}}'], {
    timeoutMs: ENGINE_ANSWER_MS,
  });
  if (code !== 0) return undefined;
  const container = describe(await import('testcontainers'));
  let late: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((done) => {
    late = setTimeout(() => done(undefined), CONTAINER_START_MS);
  });
  const started = container.start().catch(() => undefined);
  return Promise.race([started, tooLate]).finally(() => clearTimeout(late));
}
