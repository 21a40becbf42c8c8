/** A software bill of materials in the terms of CycloneDX 1.6, from the lockfile and what packages say of their licence. */
import { Enums, Models, Serialize, Spec, SPDX } from '@cyclonedx/cyclonedx-library';
import type { LockedPackage } from './locked-packages.ts';

export interface BillOptions {
  readonly product: { readonly name: string; readonly version: string; readonly license: string };
  readonly packages: ReadonlyMap<string, LockedPackage>;
  /** By `name@version`. */
  readonly licences: ReadonlyMap<string, string>;
}

/** `pkg:npm/%40scope/name@1.2.3` */
const purlOf = (name: string, version: string): string =>
  `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`;

function licenceOf(text: string): Models.License {
  const id = SPDX.fixupSpdxId(text);
  if (id !== undefined) return new Models.SpdxLicense(id);
  return / (?:OR|AND|WITH) /.test(text) ? new Models.LicenseExpression(text) : new Models.NamedLicense(text);
}

/** `sha512-…` in base64, as hexadecimal. */
const hashOf = (integrity: string): Models.Hash | null => {
  const [algorithm, digest = ''] = integrity.split('-', 2);
  return algorithm === 'sha512'
    ? [Enums.HashAlgorithm['SHA-512'], Buffer.from(digest, 'base64').toString('hex')]
    : null;
};

function componentOf(
  id: string,
  { name, version, integrity }: LockedPackage,
  licence?: string,
): Models.Component {
  const [group, base] = name.startsWith('@') ? name.split('/', 2) : [undefined, name];
  const component = new Models.Component(Enums.ComponentType.Library, base ?? name, {
    bomRef: id,
    version,
    purl: purlOf(name, version),
    ...(group === undefined ? {} : { group }),
  });
  if (licence !== undefined) component.licenses.add(licenceOf(licence));
  const hash = integrity === null ? null : hashOf(integrity);
  if (hash) component.hashes.set(...hash);
  return component;
}

/** JSON, the same for the same lockfile: no time and no serial number stand in it. */
export function billOfMaterials({ product, packages, licences }: BillOptions): string {
  const root = new Models.Component(Enums.ComponentType.Application, product.name, {
    bomRef: product.name,
    version: product.version,
  });
  root.licenses.add(licenceOf(product.license));
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: root }) });
  const components = new Map(
    [...packages].map(([id, locked]) => [id, componentOf(id, locked, licences.get(id))] as const),
  );
  for (const [id, component] of components) {
    bom.components.add(component);
    root.dependencies.add(component.bomRef);
    for (const need of packages.get(id)?.needs ?? []) {
      const needed = components.get(need);
      if (needed) component.dependencies.add(needed.bomRef);
    }
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return serializer.serialize(bom, { sortLists: true, space: 2 });
}
