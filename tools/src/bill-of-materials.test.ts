import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { describe, expect, it } from 'vitest';
import { readAudit } from './audit-answer.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { lockedPackages, readLockfile } from './locked-packages.ts';

const product = { name: 'unitcell', version: '0.1.0', license: 'MIT' };
const lockfile = readLockfile();
const packages = lockedPackages(lockfile, ['apps/api', 'apps/web']);
const licences = new Map([
  ['fastify@5.0.0', 'MIT'],
  ...[...packages.keys()]
    .slice(0, 3)
    .map((id, i) => [id, ['MIT', '(MIT OR Apache-2.0)', 'see LICENSE'][i]!] as const),
]);
const bill = billOfMaterials({ product, packages, licences });

interface Bill {
  readonly components: readonly {
    readonly 'bom-ref': string;
    readonly purl: string;
    readonly hashes?: unknown[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

describe('the bill of materials', () => {
  it('is valid by the schema of CycloneDX', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    expect(await validator.validate(bill)).toBeNull();
    const broken = bill.replace('"bomFormat": "CycloneDX"', '"bomFormat": "cyclone"');
    expect(await validator.validate(broken)).not.toBeNull();
  });

  it('names what a site runs on, through other packages and parts of the workspace, with versions and hashes', () => {
    const { components, dependencies } = JSON.parse(bill) as Bill;
    const purls = components.map(({ purl }) => purl.replace(/@[^@]*$/, ''));
    // A direct one of the api, one of the web client, one through another package, one of a package of the workspace.
    for (const name of ['fastify', 'react', 'find-my-way', '%40spglib/moyo-wasm'])
      expect(purls).toContain(`pkg:npm/${name}`);
    for (const name of ['vitest', 'playwright-core', 'oxlint'])
      expect(purls).not.toContain(`pkg:npm/${name}`);
    expect(components.filter(({ hashes }) => hashes === undefined)).toEqual([]);
    const refs = new Set(components.map((component) => component['bom-ref']));
    for (const { dependsOn = [] } of dependencies)
      expect(dependsOn.filter((ref) => !refs.has(ref))).toEqual([]);
    const fastify = dependencies.find(({ ref }) => ref.startsWith('fastify@'));
    expect(fastify?.dependsOn?.some((ref) => ref.startsWith('find-my-way@'))).toBe(true);
  });

  it('of development names the tools too', () => {
    const all = lockedPackages(lockfile, Object.keys(lockfile.importers), true);
    expect([...all.keys()].some((id) => id.startsWith('vitest@'))).toBe(true);
    expect(all.size).toBeGreaterThan(packages.size);
  });
});

describe('an audit', () => {
  it.each([
    [
      'an endpoint that is not there',
      '{"error":{"code":"ERR_PNPM_AUDIT_BAD_RESPONSE","message":"responded with 405"}}',
    ],
    ['no network', ' ERR_PNPM_META_FETCH_FAIL  request failed, reason: getaddrinfo ENOTFOUND'],
    ['nothing', ''],
  ])('says that nobody was asked, with a status of its own: %s', (_name, output) => {
    const { status, lines } = readAudit(output);
    expect(status).toBe(3);
    expect(lines[0]).toMatch(/were NOT looked for/);
  });

  it('tells what is known, and when nothing is', () => {
    const advisory = {
      severity: 'high',
      module_name: 'left-pad',
      vulnerable_versions: '<1.3.0',
      title: 'pads too much',
      url: 'https://example.org/1',
    };
    const found = readAudit(JSON.stringify({ advisories: { 1: advisory } }));
    expect(found).toEqual({
      status: 1,
      lines: ['high: left-pad <1.3.0: pads too much (https://example.org/1)'],
    });
    expect(readAudit('{"advisories":{},"metadata":{}}').status).toBe(0);
  });
});
