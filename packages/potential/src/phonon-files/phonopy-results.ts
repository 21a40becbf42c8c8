/** Reads phonopy's band.yaml and mesh.yaml: finished bands, and modes on a mesh. */
import { BOHR_RADIUS_ANGSTROM, elementBySymbol } from '@unitcell/elements';
import type { Structure } from '@unitcell/crystal';
import type { Vec3 } from '@unitcell/numerics';
import { modeDisplacements } from '../phonons.ts';
import { refuseFile } from './file-error.ts';
import type { FinishedPhonons, FinishedPoint } from './finished.ts';
import { cellOf, isMap, listOf, numberOf, vectorOf } from './phonopy-cell.ts';
import { readPlainYaml, type Yaml } from './plain-yaml.ts';

const MOST_POINTS = 5000;
const MOST_MODES = 3_000_000;

type YamlMap = { readonly [key: string]: Yaml };

function readResults(file: string, text: string) {
  const document = readPlainYaml(file, text);
  if (!isMap(document) || document.phonon === undefined)
    return refuseFile(file, 'no list `phonon`: expected the file that phonopy writes');
  const { structure, masses } = cellOf(
    document,
    document.length_unit === 'au' ? BOHR_RADIUS_ANGSTROM : 1,
    file,
    'the cell',
  );
  const modes = 3 * structure.sites.length;
  const points = listOf(document.phonon, file, 'phonon').map((entry, index) => {
    const where = `wave vector ${index + 1}`;
    if (!isMap(entry)) return refuseFile(file, `${where}: expected q-position and band`);
    const bands = listOf(entry.band, file, `${where}, band`).map((band) =>
      isMap(band) ? band : refuseFile(file, `${where}: expected a frequency`),
    );
    if (bands.length !== modes)
      refuseFile(
        file,
        `${where}: ${bands.length} bands, expected ${modes} (three for each of ${modes / 3} atoms)`,
      );
    return {
      entry,
      bands,
      q: vectorOf(entry['q-position'], file, `${where}, q-position`),
      frequencies: bands.map((band) => numberOf(band.frequency, file, `${where}, frequency`)),
    };
  });
  if (points.length === 0) refuseFile(file, 'the list `phonon` is empty');
  return {
    document,
    structure,
    masses: masses ?? structure.sites.map(({ species }) => elementBySymbol(species[0].element).atomicMass),
    points,
  };
}

/** The label without dollar signs, as in `$\Gamma$`. */
const plainLabel = (label: string): string => label.replaceAll('$', '').trim();

/** @throws PotentialError `phonon-file` */
export function readPhonopyBands(text: string): FinishedPhonons {
  const file = 'band.yaml';
  const { document, structure, masses, points } = readResults(file, text);
  if (points.length > MOST_POINTS)
    refuseFile(file, `${points.length} wave vectors: at most ${MOST_POINTS} are read`);
  const ends = segmentEnds(document, points.length);
  return {
    structure,
    bands: points.map(({ entry, bands, q, frequencies }, index): FinishedPoint => {
      const label = typeof entry.label === 'string' ? plainLabel(entry.label) : '';
      const name = label === '' && ends.has(index) ? coordinates(q) : label;
      const order = frequencies.map((_, mode) => mode).sort((a, b) => frequencies[a] - frequencies[b]);
      const displacements = name === '' ? null : displacementsOf(bands, q, structure, masses);
      return {
        q,
        frequencies: order.map((mode) => frequencies[mode]),
        ...(name !== '' && { label: name }),
        ...(displacements && { displacements: order.map((mode) => displacements[mode]) }),
      };
    }),
  };
}

/**
 * First and last wave vectors of the straight pieces; if the file has no labels, they are named by their
 * coordinates.
 */
function segmentEnds(document: YamlMap, count: number): ReadonlySet<number> {
  const ends = new Set([0, count - 1]);
  let at = 0;
  for (const length of Array.isArray(document.segment_nqpoint) ? document.segment_nqpoint : []) {
    if (typeof length !== 'number') continue;
    ends.add(at);
    ends.add(at + length - 1);
    at += length;
  }
  return ends;
}

const coordinates = (q: Vec3): string =>
  q.every((value) => Math.abs(value - Math.round(value)) < 1e-6)
    ? 'Γ'
    : q.map((value) => String(Number(value.toFixed(3)))).join(' ');

/** @throws PotentialError `phonon-file` */
export function readPhonopyMesh(text: string): FinishedPhonons {
  const file = 'mesh.yaml';
  const { structure, points } = readResults(file, text);
  const atoms = structure.sites.length;
  const weights = points.map(({ entry }) => Math.round(numberOf(entry.weight ?? 1, file, 'weight')));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (weights.some((weight) => weight < 1) || total * 3 * atoms > MOST_MODES)
    refuseFile(
      file,
      `the mesh has ${total} wave vectors: expected positive weights and at most ${MOST_MODES} modes`,
    );
  // Each wave vector represents as many wave vectors of the mesh as its weight.
  const vectors = points.map(({ bands }) => bands.map((band) => sharesOf(band, atoms)));
  const hasShares = vectors.every((bands) => bands.every((shares) => shares !== null));
  const size = total * 3 * atoms;
  const frequencies = new Float64Array(size);
  const shares = Array.from({ length: hasShares ? atoms : 1 }, () =>
    new Float64Array(size).fill(hasShares ? 0 : 1),
  );
  let at = 0;
  points.forEach((point, index) => {
    for (let copy = 0; copy < weights[index]; copy++)
      point.frequencies.forEach((frequency, mode) => {
        frequencies[at] = frequency;
        if (hasShares)
          vectors[index][mode]?.forEach((share, atom) => {
            shares[atom][at] = share;
          });
        at += 1;
      });
  });
  return { structure, bands: [], mesh: { points: total, frequencies, shares } };
}

type Complex = readonly [number, number];

/** Real and imaginary part of x, y and z of each atom; null without a complete eigenvector. */
function eigenvectorOf({ eigenvector }: YamlMap, atoms: number): readonly (readonly Complex[])[] | null {
  if (!Array.isArray(eigenvector) || eigenvector.length !== atoms) return null;
  const isComplex = (value: Yaml): value is [number, number] =>
    Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'number');
  const parts = eigenvector.map((atom) => (Array.isArray(atom) ? atom.filter(isComplex) : []));
  return parts.every(({ length }) => length === 3) ? parts : null;
}

/**
 * Motion of the atoms in all modes of a wave vector. Phonopy's eigenvectors are multiplied by exp(2πi q·r) with
 * the positions r of the atoms; those of this package by the phases at the origins of the cells.
 */
function displacementsOf(
  bands: readonly YamlMap[],
  q: Vec3,
  { sites }: Structure,
  masses: readonly number[],
): NonNullable<FinishedPoint['displacements']> | null {
  const vectors = bands.map((band) => eigenvectorOf(band, sites.length));
  if (!vectors.every((vector) => vector !== null)) return null;
  return vectors.map((vector) =>
    modeDisplacements(
      vector.map((atom, site) => {
        const [x, y, z] = sites[site].fractionalCoords;
        const angle = 2 * Math.PI * (q[0] * x + q[1] * y + q[2] * z);
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        return [
          ...atom.map(([re, im]) => re * cos - im * sin),
          ...atom.map(([re, im]) => re * sin + im * cos),
        ];
      }),
      masses,
    ),
  );
}

/** Share of each atom in a mode; null without a complete eigenvector. */
function sharesOf(band: YamlMap, atoms: number): number[] | null {
  const squares = eigenvectorOf(band, atoms)?.map((atom) =>
    atom.flat().reduce((sum, value) => sum + value * value, 0),
  );
  const total = squares?.reduce((sum, square) => sum + square, 0) ?? 0;
  return squares && total > 0 ? squares.map((square) => square / total) : null;
}
