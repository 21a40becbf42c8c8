/** band.yaml and mesh.yaml of phonopy: finished bands, and modes on a mesh. */
import { BOHR_RADIUS_ANGSTROM } from '@unitcell/elements';
import type { Vec3 } from '@unitcell/numerics';
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
  const { structure } = cellOf(
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
  return { document, structure, points };
}

/** `$\Gamma$` without its dollars. */
const plainLabel = (label: string): string => label.replaceAll('$', '').trim();

/** @throws PotentialError `phonon-file` */
export function readPhonopyBands(text: string): FinishedPhonons {
  const file = 'band.yaml';
  const { document, structure, points } = readResults(file, text);
  if (points.length > MOST_POINTS)
    refuseFile(file, `${points.length} wave vectors: at most ${MOST_POINTS} are read`);
  const ends = segmentEnds(document, points.length);
  return {
    structure,
    bands: points.map(({ entry, q, frequencies }, index): FinishedPoint => {
      const label = typeof entry.label === 'string' ? plainLabel(entry.label) : '';
      const name = label === '' && ends.has(index) ? coordinates(q) : label;
      return { q, frequencies: frequencies.toSorted((a, b) => a - b), ...(name !== '' && { label: name }) };
    }),
  };
}

/** First and last wave vectors of the straight pieces; files without labels name them by this. */
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
  // Each wave vector stands for as many as its weight says.
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

/** Share of each atom in a mode; null without a complete eigenvector. */
function sharesOf({ eigenvector }: YamlMap, atoms: number): number[] | null {
  if (!Array.isArray(eigenvector) || eigenvector.length !== atoms) return null;
  const squares = eigenvector.map((atom) =>
    (Array.isArray(atom) ? atom.flat() : []).reduce<number>(
      (sum, value) => sum + (typeof value === 'number' ? value * value : 0),
      0,
    ),
  );
  const total = squares.reduce((sum, square) => sum + square, 0);
  return total > 0 ? squares.map((square) => square / total) : null;
}
