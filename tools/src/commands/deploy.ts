/** `DATABASE_URL=… npm run deploy [-- --force]`: migrates in a separate step, when the server answers. */
import { UserError, explain } from '../../lib/user-error.mjs';
import { sayOnce, waitForDatabase } from '../database.ts';
import { deployMigrations } from '../migrations.ts';

const SERVER_MS = 60_000;

export async function main(words: readonly string[]): Promise<void> {
  const url = process.env.DATABASE_URL;
  try {
    if (!url) throw new UserError('Set DATABASE_URL=postgresql://user:password@host:5432/database');
    const say = sayOnce();
    await waitForDatabase(url, {
      timeoutMs: SERVER_MS,
      onWait: (reason) => say(`${reason}; waiting up to ${SERVER_MS / 1000} s`),
    });
    const applied = await deployMigrations(url, { force: words.includes('--force'), onWait: say });
    process.stdout.write(applied.length > 0 ? `Applied ${applied.join(', ')}\n` : 'Nothing to apply\n');
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}
