/**
 * POSCAR text (VASP 5) of an ordered structure.
 */
import { CrystalError } from '../error.ts';
import { formulaOf } from '../formula.ts';
import { compositionOf } from '../composition.ts';
import { isOrdered, type Site, type Structure } from '../structure.ts';

/** With this many decimals a double between 0 and 1 keeps its last digit. */
const DECIMALS = 16;

export interface WritePoscarOptions {
  /** Comment line; the formula of the cell by default. */
  readonly name?: string;
}

const row = (values: readonly number[]): string =>
  values.map((value) => value.toFixed(DECIMALS).padStart(22)).join(' ');

const oneLine = (text: string): string => text.replaceAll('\r', ' ').replaceAll('\n', ' ').trim();

/** Sites grouped by element, in order of first appearance, because each element has one POTCAR. */
function groupedByElement(sites: readonly Site[]): ReadonlyMap<string, readonly Site[]> {
  const groups = new Map<string, Site[]>();
  for (const site of sites) {
    const [{ element }] = site.species;
    const group = groups.get(element);
    if (group) group.push(site);
    else groups.set(element, [site]);
  }
  return groups;
}

/**
 * The structure as POSCAR with direct coordinates and sites grouped by element. `readPoscar` reads it back as the same
 * structure up to the order of the sites.
 * @throws CrystalError `structure` when a site is shared or partly empty, which POSCAR cannot express
 */
export function writePoscar(structure: Structure, options: WritePoscarOptions = {}): string {
  if (structure.sites.length === 0)
    throw new CrystalError('structure', 'the structure has no sites; POSCAR needs atoms');
  if (!isOrdered(structure))
    throw new CrystalError(
      'structure',
      'the structure has shared or partly empty sites, which POSCAR cannot say; write a CIF or choose an ordered model',
    );
  const groups = groupedByElement(structure.sites);
  const lines = [
    oneLine(options.name ?? '') || formulaOf(compositionOf(structure)),
    '1.0',
    ...structure.latticeVectors.map(row),
    [...groups.keys()].join(' '),
    [...groups.values()].map((sites) => sites.length).join(' '),
    'Direct',
    ...[...groups].flatMap(([element, sites]) =>
      sites.map((site) => `${row(site.fractionalCoords)} ${element}`),
    ),
  ];
  return `${lines.join('\n')}\n`;
}
