import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { inRepository } from '../lib/paths.mjs';

// Compares the Kubernetes files with the Docker composition, which other tests start. The Kubernetes files were checked
// with kubernetes-validate.

const FOLDER = inRepository('deploy/kubernetes');
const read = (name: string) => readFileSync(`${FOLDER}/${name}`, 'utf8');
const { resources, images } = parse(read('kustomization.yaml')) as {
  resources: string[];
  images: { name: string; newTag: string }[];
};

interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly securityContext?: { readonly readOnlyRootFilesystem?: boolean };
}
interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: {
    readonly template?: {
      readonly spec: {
        readonly containers: readonly Container[];
        readonly initContainers?: readonly Container[];
      };
    };
  };
}
const all = resources.flatMap((file) =>
  parseAllDocuments(read(file)).map((document) => document.toJS() as Resource),
);
const containers = all.flatMap(({ spec }) => [
  ...(spec?.template?.spec.initContainers ?? []),
  ...(spec?.template?.spec.containers ?? []),
]);
const services = (
  parse(readFileSync(inRepository('docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<string, { command?: string[] }>;
  }
).services;

describe('deploy/kubernetes', () => {
  it('lists every file of the folder', () => {
    const files = readdirSync(FOLDER).filter(
      (name) => name.endsWith('.yaml') && name !== 'kustomization.yaml',
    );
    expect([...resources].sort()).toEqual(files.sort());
  });

  it('runs the services of the composition, except its proxy', () => {
    for (const name of ['migrate', 'seed', 'api', 'worker'])
      expect(containers.find((container) => container.name === name)?.args).toEqual(services[name]?.command);
    for (const name of ['postgres', 'redis'])
      expect(all.some(({ kind, metadata }) => kind === 'StatefulSet' && metadata.name === name)).toBe(true);
  });

  it('runs this version, with a read-only file system', () => {
    const { version } = JSON.parse(readFileSync(inRepository('package.json'), 'utf8')) as { version: string };
    expect(images.map(({ newTag }) => newTag)).toEqual([version, version]);
    const own = containers.filter(({ image }) => image.startsWith('unitcell'));
    expect(own.length).toBeGreaterThan(3);
    for (const { securityContext } of own) expect(securityContext?.readOnlyRootFilesystem).toBe(true);
  });
});
