/** What the lockfile says the product is made of. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { inRepository } from '../lib/paths.mjs';

type Versions = Readonly<Record<string, string>>;
interface Importer {
  readonly dependencies?: Readonly<Record<string, { readonly version: string }>>;
  readonly optionalDependencies?: Readonly<Record<string, { readonly version: string }>>;
  readonly devDependencies?: Readonly<Record<string, { readonly version: string }>>;
}
interface Lockfile {
  readonly importers: Readonly<Record<string, Importer>>;
  readonly packages: Readonly<Record<string, { readonly resolution: { readonly integrity?: string } }>>;
  readonly snapshots: Readonly<
    Record<string, { readonly dependencies?: Versions; readonly optionalDependencies?: Versions }>
  >;
}

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** Subresource integrity of its archive: `sha512-…`. */
  readonly integrity: string | null;
  /** `name@version` of what it needs. */
  readonly needs: readonly string[];
}

/** `name@1.2.3(peer@4.5.6)` → `name@1.2.3` */
const withoutPeers = (key: string): string => key.replace(/\(.*$/, '');

export const readLockfile = (): Lockfile =>
  parse(readFileSync(inRepository('pnpm-lock.yaml'), 'utf8')) as Lockfile;

/**
 * The packages of other people that these parts of the workspace (`apps/api` …) run on, directly or through others, by
 * `name@version`; with `isWithDevelopment` also those they are built and tested with.
 */
export function lockedPackages(
  { importers, packages, snapshots }: Lockfile,
  parts: readonly string[],
  isWithDevelopment = false,
): ReadonlyMap<string, LockedPackage> {
  const found = new Map<string, LockedPackage>();
  const seen = new Set<string>();
  const add = (name: string, version: string, from: string): void => {
    if (version.startsWith('link:'))
      return addPart(new URL(version.slice(5), `file:///${from}/`).pathname.slice(1));
    const key = version.includes('@') && version in snapshots ? version : `${name}@${version}`;
    if (seen.has(key)) return;
    seen.add(key);
    const { dependencies = {}, optionalDependencies = {} } = snapshots[key] ?? {};
    const needs = Object.entries({ ...dependencies, ...optionalDependencies });
    const id = withoutPeers(key);
    const at = id.lastIndexOf('@');
    const known = found.get(id)?.needs ?? [];
    found.set(id, {
      name: id.slice(0, at),
      version: id.slice(at + 1),
      integrity: packages[id]?.resolution.integrity ?? null,
      needs: [...new Set([...known, ...needs.map(([need, range]) => withoutPeers(`${need}@${range}`))])],
    });
    for (const [need, range] of needs) add(need, range, from);
  };
  const addPart = (part: string): void => {
    if (seen.has(part)) return;
    seen.add(part);
    const { dependencies, optionalDependencies, devDependencies } = importers[part] ?? {};
    const all = { ...dependencies, ...optionalDependencies, ...(isWithDevelopment ? devDependencies : {}) };
    for (const [name, { version }] of Object.entries(all)) add(name, version, part);
  };
  for (const part of parts) addPart(part);
  return found;
}
