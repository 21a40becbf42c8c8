import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter } from 'node:path';
import { inRepository, root } from './paths.mjs';
import { capture, mustRun, tail } from './run.mjs';
import { UserError } from './user-error.mjs';
import { whenChanged } from './stamp.mjs';

/**
 * pnpm in exactly the version of `packageManager`: the installed one if it matches, otherwise through npx. Any
 * other version would try to replace itself, or would write a different lockfile.
 */
export async function pnpmCommand() {
  /** @type {{ packageManager: string }} */
  const { packageManager } = JSON.parse(readFileSync(inRepository('package.json'), 'utf8'));
  const [wanted = ''] = packageManager.replace(/^pnpm@/, '').split('+');
  // Runs outside the repository: inside it, the `packageManager` field would make pnpm or corepack download a
  // version.
  const env = { ...process.env, COREPACK_ENABLE_NETWORK: '0' };
  const { code, output } = await capture('pnpm', ['--version'], { cwd: tmpdir(), env, timeoutMs: 10_000 });
  if (code === 0 && output.trim() === wanted) return ['pnpm'];
  return ['npx', '--yes', `pnpm@${wanted}`];
}

const manifests = () => [
  inRepository('package.json'),
  inRepository('pnpm-lock.yaml'),
  inRepository('pnpm-workspace.yaml'),
  inRepository('tools', 'package.json'),
  inRepository('workshop', 'package.json'),
  ...['apps', 'packages'].flatMap((group) =>
    readdirSync(inRepository(group)).map((name) => inRepository(group, name, 'package.json')),
  ),
];

/** Installs the locked dependencies when a manifest or the lockfile changed since the last time. */
export const installDependencies = () =>
  whenChanged(
    'install',
    { inputs: manifests(), outputs: [inRepository('node_modules', '.modules.yaml')] },
    async () => {
      const [command = 'pnpm', ...prefix] = await pnpmCommand();
      const args = [
        ...prefix,
        'install',
        '--frozen-lockfile',
        '--reporter=append-only',
        '--config.confirmModulesPurge=false',
      ];
      // CI=true suppresses pnpm's question if another version made node_modules, and its warning about a
      // missing terminal.
      const env = { ...process.env, CI: 'true' };
      const { code, output } = await capture(command, args, { cwd: root, env });
      if (code === 0) return;
      if (code === 127)
        throw new UserError(`Cannot run ${command}. npm comes with Node: install Node 20 or newer with npm.`);
      if (/ENOSPC|no space left on device/i.test(output))
        throw Object.assign(new Error('install'), { code: 'ENOSPC' });
      if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET/.test(output)) {
        throw new UserError(
          `The npm registry cannot be reached to install dependencies. Check the network or proxy (npm config get registry), then start again.`,
        );
      }
      throw new UserError(
        `Installing dependencies failed:\n${tail(output.replace(/^npm (notice|warn).*\n?/gm, ''))}`,
      );
    },
  );

export const generatePrismaClient = () =>
  whenChanged(
    'prisma-client',
    {
      inputs: [inRepository('prisma/schema.prisma'), inRepository('apps/api/package.json')],
      outputs: [inRepository('apps/api/src/generated')],
    },
    async () => {
      const cli = inRepository('apps/api/node_modules/prisma/build/index.js');
      if (!existsSync(cli)) throw new Error(`${cli} is missing after the install`);
      // `generate` only checks that an engine binary exists and never runs it; if the binary is missing, it
      // would be downloaded.
      const env = {
        ...process.env,
        // Prisma starts the generators of the schema by name.
        PATH: [inRepository('apps/api/node_modules/.bin'), process.env.PATH].join(delimiter),
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
        CHECKPOINT_DISABLE: '1',
      };
      const args = [cli, 'generate', '--schema', inRepository('prisma/schema.prisma')];
      await mustRun('Generating the database client', process.execPath, args, {
        cwd: inRepository('apps/api'),
        env,
      });
    },
  );
