/**
 * Phonons as pymatgen writes them and the Materials Project publishes them: `PhononBandStructureSymmLine` and `PhononDos` (or
 * `CompletePhononDos`), alone or in a document with thermal properties per mole of cells.
 */
import { fromPymatgenDict, type Structure } from '@unitcell/crystal';
import type { Vec3 } from '@unitcell/numerics';
import { refuseFile } from './file-error.ts';
import type { FinishedPhonons, FinishedPoint } from './finished.ts';

const FILE = 'phonon JSON';
const MOST_POINTS = 5000;
/** J/mol per eV. */
const JOULE_PER_MOL = 96_485.33212;
/** Fractions; a wave vector within this distance of a named point gets its name. */
const SAME = 1e-6;

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function numbersOf(value: unknown, where: string, length?: number): readonly number[] {
  if (
    !Array.isArray(value) ||
    !value.every((one): one is number => typeof one === 'number' && Number.isFinite(one))
  )
    return refuseFile(FILE, `${where}: expected a list of numbers`);
  if (length !== undefined && value.length !== length)
    refuseFile(FILE, `${where}: ${value.length} numbers, expected ${length}`);
  return value;
}

function vectorOf(value: unknown, where: string): Vec3 {
  const [x, y, z] = numbersOf(value, where, 3);
  return [x, y, z];
}

const bandsOfDocument = (document: Json): unknown =>
  document.phonon_bandstructure ?? document.ph_bs ?? document.phonon_bandstructure_symm_line;
const densityOfDocument = (document: Json): unknown => document.phonon_dos ?? document.ph_dos;

const hasClass = (value: unknown, name: RegExp): boolean =>
  isObject(value) && name.test(String(value['@class']));
const isBands = (value: unknown): boolean => hasClass(value, /^PhononBandStructure/);
const isDensity = (value: unknown): boolean => hasClass(value, /^(?:Complete)?PhononDos$/);

/** Whether a JSON value is a phonon document of pymatgen. */
export const isPymatgenPhonons = (json: unknown): boolean =>
  isBands(json) ||
  isDensity(json) ||
  (isObject(json) && (isBands(bandsOfDocument(json)) || isDensity(densityOfDocument(json))));

function structureOf(...candidates: readonly unknown[]): Structure {
  const found = candidates.find((candidate) => isObject(candidate) && isObject(candidate.lattice));
  if (!isObject(found))
    return refuseFile(
      FILE,
      'no structure: write it with the bands, or as {"structure", "phonon_bandstructure", "phonon_dos"}',
    );
  return fromPymatgenDict(found);
}

function bandsOf(dict: unknown, atoms: number): FinishedPoint[] {
  if (!isObject(dict)) return [];
  const points = Array.isArray(dict.qpoints) ? dict.qpoints : refuseFile(FILE, 'qpoints: expected a list');
  if (points.length === 0 || points.length > MOST_POINTS)
    refuseFile(FILE, `${points.length} wave vectors: expected 1 to ${MOST_POINTS}`);
  const given = dict.bands ?? dict.frequencies;
  const bands = Array.isArray(given) ? given : refuseFile(FILE, 'bands: expected a list');
  if (bands.length !== 3 * atoms)
    refuseFile(FILE, `${bands.length} bands, expected ${3 * atoms} (three for each of ${atoms} atoms)`);
  const byBand = bands.map((band, k) => numbersOf(band, `band ${k + 1}`, points.length));
  const named = Object.entries(isObject(dict.labels_dict) ? dict.labels_dict : {}).map(
    ([label, at]) => [label, vectorOf(at, `labels_dict, ${label}`)] as const,
  );
  const all = points.map((point, k) => vectorOf(point, `wave vector ${k + 1}`));
  const labels = all.map((q) => named.find(([, at]) => at.every((x, i) => Math.abs(x - q[i]) < SAME))?.[0]);
  return all.map((q, k): FinishedPoint => {
    // A named point in the interior of a straight piece of the path does not end the piece.
    const label = isEnd(all, k) ? labels[k] : undefined;
    return {
      q,
      ...(label !== undefined && { label }),
      frequencies: byBand.map((band) => band[k]).sort((a, b) => a - b),
    };
  });
}

/** Whether the path starts, ends, turns or jumps at a point. */
function isEnd(points: readonly Vec3[], k: number): boolean {
  const [before, own, after] = [points[k - 1], points[k], points[k + 1]];
  if (!before || !after) return true;
  const difference = (p: Vec3, q: Vec3): Vec3 => [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
  const [u, v] = [difference(before, own), difference(own, after)];
  return u.some((x, axis) => Math.abs(x - v[axis]) > 1e-4);
}

/** @throws PotentialError `phonon-file`; CrystalError when the structure is invalid */
export function readPymatgenPhonons(json: unknown): FinishedPhonons {
  if (!isObject(json)) return refuseFile(FILE, 'expected an object');
  const bands = isBands(json) ? json : bandsOfDocument(json);
  const density = isDensity(json) ? json : densityOfDocument(json);
  const ofBands = isObject(bands) ? bands.structure : undefined;
  const ofDensity = isObject(density) ? density.structure : undefined;
  const structure = structureOf(ofBands, json.primitive, ofDensity, json.structure);
  const atoms = structure.sites.length;
  const frequencies = isObject(density) ? numbersOf(density.frequencies, 'frequencies of the density') : [];
  const densities = isObject(density) ? numbersOf(density.densities, 'densities', frequencies.length) : [];
  const parts =
    isObject(density) && Array.isArray(density.pdos) && density.pdos.length === atoms ? density.pdos : null;
  const thermal = thermalOf(json);
  const found = {
    structure,
    bands: bandsOf(bands, atoms),
    ...(frequencies.length > 0 && {
      density: {
        frequencies,
        total: densities,
        ...(parts && {
          byAtom: parts.map((part, k) => numbersOf(part, `pdos ${k + 1}`, frequencies.length)),
        }),
      },
    }),
    ...(thermal && { thermal }),
  };
  if (found.bands.length === 0 && frequencies.length === 0)
    refuseFile(FILE, 'neither bands nor a density of states');
  return found;
}

/** Thermal properties of the file, J/mol and J/(mol K) per mole of cells. */
function thermalOf(document: Json): FinishedPhonons['thermal'] | null {
  if (!Array.isArray(document.temps) && !Array.isArray(document.temperatures)) return null;
  const temperatures = numbersOf(document.temps ?? document.temperatures, 'temps');
  const column = (name: string): readonly number[] | null =>
    Array.isArray(document[name]) ? numbersOf(document[name], name, temperatures.length) : null;
  const [free, entropy, heat] = ['free_energies', 'entropies', 'heat_capacities'].map(column);
  if (!free || !entropy || !heat) return null;
  return temperatures.map((temperature, k) => ({
    temperature,
    freeEnergy: free[k] / JOULE_PER_MOL,
    entropy: entropy[k] / JOULE_PER_MOL,
    heatCapacity: heat[k] / JOULE_PER_MOL,
  }));
}
