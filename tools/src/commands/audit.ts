/**
 * `npm run audit [-- --all] [-- --registry URL]`: known vulnerabilities of what a site runs on, or with `--all` also of what it is
 * built and tested with. Exit status 0: none known; 1: there are some; 3: no audit service could be asked.
 */
import { pnpmCommand } from '../../lib/install.mjs';
import { root } from '../../lib/paths.mjs';
import { capture } from '../../lib/run.mjs';
import { readAudit } from '../audit-answer.ts';

const PATIENCE_MS = 120_000;

export async function main(words: readonly string[]): Promise<void> {
  const [command = 'pnpm', ...prefix] = await pnpmCommand();
  const others = words.filter((word) => word !== '--all');
  const args = [...prefix, 'audit', '--json', ...(words.includes('--all') ? [] : ['--prod']), ...others];
  const { output } = await capture(command, args, { cwd: root, timeoutMs: PATIENCE_MS });
  const { status, lines } = readAudit(output);
  process.stdout.write(`${lines.join('\n')}\n`);
  process.exitCode = status;
}
