/** `DATABASE_URL=… npm run deploy [-- --force]`: migrates a database in a step of its own. */
import { Sentence, explain } from '../../../../scripts/lib/sentence.mjs';
import { deployMigrations } from '../migrations.ts';

export async function main(words: readonly string[]): Promise<void> {
  const url = process.env.DATABASE_URL;
  try {
    if (!url) throw new Sentence('Set DATABASE_URL=postgresql://user:password@host:5432/database');
    const applied = await deployMigrations(url, { force: words.includes('--force') });
    process.stdout.write(applied.length > 0 ? `Applied ${applied.join(', ')}\n` : 'Nothing to apply\n');
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}
