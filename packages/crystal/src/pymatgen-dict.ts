/**
 * Structures as JSON in the form of pymatgen's `Structure.as_dict`, which most materials databases exchange:
 * `{ lattice: { matrix }, sites: [{ species: [{ element, occu }], abc, label? }] }`. `properties.magmom` of a
 * site is read as its moment and never written; other keys are ignored.
 */
import { isElementSymbol } from '@unitcell/elements';
import { determinant3, type Mat3, norm3, roundTo, type Vec3 } from '@unitcell/numerics';
import { CrystalError } from './error.ts';
import { OCCUPANCY_TOLERANCE } from './io/expand-sites.ts';
import { MAX_CELL_LENGTH, MAX_COORDINATE, MAX_READ_SITES } from './io/limits.ts';
import { MIN_RELATIVE_VOLUME } from './io/read-poscar.ts';
import { signedMoments } from './io/cif-moments.ts';
import type { Site, Species, Structure } from './structure.ts';

export interface PymatgenSite {
  readonly species: readonly { readonly element: string; readonly occu: number }[];
  readonly abc: readonly [number, number, number];
  readonly label?: string;
}

export interface PymatgenStructure {
  readonly lattice: { readonly matrix: readonly (readonly [number, number, number])[] };
  readonly sites: readonly PymatgenSite[];
}

export const toPymatgenDict = (structure: Structure): PymatgenStructure => ({
  lattice: { matrix: structure.latticeVectors },
  sites: structure.sites.map(({ species, fractionalCoords, label }) => ({
    species: species.map(({ element, occupancy }) => ({ element, occu: occupancy })),
    abc: fractionalCoords,
    ...(label === undefined ? {} : { label }),
  })),
});

/** The same dictionary with lengths (Å) and fractional coordinates rounded to eight decimals. */
export function toRoundedPymatgenDict(structure: Structure): PymatgenStructure {
  const rounded = ([x, y, z]: Vec3): Vec3 => [roundTo(x, 8), roundTo(y, 8), roundTo(z, 8)];
  const [a, b, c] = structure.latticeVectors;
  return toPymatgenDict({
    latticeVectors: [rounded(a), rounded(b), rounded(c)],
    sites: structure.sites.map((site) => ({ ...site, fractionalCoords: rounded(site.fractionalCoords) })),
  });
}

function refuse(path: string, expected: string): never {
  throw new CrystalError('structure', `structure JSON, ${path}: expected ${expected}`, {
    why: { reason: 'structure-json', path },
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readVector(value: unknown, path: string, limit: number): Vec3 {
  const isVector =
    Array.isArray(value) &&
    value.length === 3 &&
    value.every((entry) => typeof entry === 'number' && Math.abs(entry) <= limit);
  return isVector ? [value[0], value[1], value[2]] : refuse(path, `three numbers between ±${limit}`);
}

function readMatrix(value: unknown): Mat3 {
  if (!Array.isArray(value) || value.length !== 3) refuse('lattice.matrix', 'three rows');
  const [a, b, c] = value.map((row, index) => readVector(row, `lattice.matrix[${index}]`, MAX_CELL_LENGTH));
  const volume = Math.abs(determinant3([a, b, c]));
  if (!(volume > MIN_RELATIVE_VOLUME * norm3(a) * norm3(b) * norm3(c)))
    refuse('lattice.matrix', 'three vectors that span a volume');
  return [a, b, c];
}

/** The element symbol of `Fe`, `Fe3+` or `O2-`; isotopes of hydrogen count as hydrogen. */
function elementOfSpecies(text: string): string | undefined {
  let end = 0;
  while (
    end < text.length &&
    ((text[end] >= 'A' && text[end] <= 'Z') || (text[end] >= 'a' && text[end] <= 'z'))
  )
    end++;
  const symbol = text.slice(0, end);
  if (symbol === 'D' || symbol === 'T') return 'H';
  return isElementSymbol(symbol) ? symbol : undefined;
}

function readSpecies(value: unknown, path: string): readonly Species[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > 118) refuse(path, 'a list of species');
  const species: Species[] = value.map((entry: unknown, index) => {
    if (!isRecord(entry)) return refuse(`${path}[${index}]`, '{ element, occu }');
    const { element, occu = 1 } = entry;
    const symbol = typeof element === 'string' ? elementOfSpecies(element) : undefined;
    if (symbol === undefined)
      return refuse(
        `${path}[${index}].element`,
        `an element symbol, ${JSON.stringify(element)} is not an element`,
      );
    if (typeof occu !== 'number' || !(occu > 0 && occu <= 1 + OCCUPANCY_TOLERANCE))
      return refuse(`${path}[${index}].occu`, 'a number above 0 and at most 1');
    return { element: symbol, occupancy: Math.min(1, occu) };
  });
  const sum = species.reduce((total, { occupancy }) => total + occupancy, 0);
  if (sum > 1 + OCCUPANCY_TOLERANCE) refuse(path, `occupancies that add up to at most 1, not ${sum}`);
  return sum > 1
    ? species.map(({ element, occupancy }) => ({ element, occupancy: occupancy / sum }))
    : species;
}

function readSite(value: unknown, path: string): Site {
  if (!isRecord(value)) return refuse(path, '{ species, abc }');
  const species = readSpecies(value['species'], `${path}.species`);
  const fractionalCoords = readVector(value['abc'], `${path}.abc`, MAX_COORDINATE);
  const label = value['label'];
  return typeof label === 'string' ? { species, fractionalCoords, label } : { species, fractionalCoords };
}

const isFiniteNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/** Reads `properties.magmom`: a number, a vector, or either with the spin axis. */
function readMoment(site: unknown): Vec3 | undefined {
  const properties = isRecord(site) ? site['properties'] : undefined;
  const magmom = isRecord(properties) ? properties['magmom'] : undefined;
  const value: unknown = isRecord(magmom) ? magmom['moment'] : magmom;
  if (isFiniteNumber(value)) return [0, 0, value];
  return Array.isArray(value) && value.length === 3 && value.every(isFiniteNumber)
    ? [value[0], value[1], value[2]]
    : undefined;
}

/**
 * The structure in a parsed JSON value, fully validated.
 * @throws CrystalError `structure` naming the path inside the JSON, or `too-large`
 */
export function fromPymatgenDict(value: unknown): Structure {
  if (!isRecord(value)) return refuse('top level', '{ lattice, sites }');
  const { lattice, sites } = value;
  if (!isRecord(lattice)) return refuse('lattice', '{ matrix }');
  if (!Array.isArray(sites) || sites.length === 0) return refuse('sites', 'a list of at least one site');
  if (sites.length > MAX_READ_SITES)
    throw new CrystalError('too-large', `${sites.length} sites: at most ${MAX_READ_SITES} are read`, {
      why: { reason: 'too-many-sites', limit: MAX_READ_SITES },
    });
  const moments = signedMoments(sites.map(readMoment));
  return {
    latticeVectors: readMatrix(lattice['matrix']),
    sites: sites.map((site, index) => {
      const moment = moments[index];
      return { ...readSite(site, `sites[${index}]`), ...(moment === undefined ? {} : { moment }) };
    }),
  };
}
