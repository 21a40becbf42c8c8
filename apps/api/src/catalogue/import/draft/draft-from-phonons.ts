/**
 * Converts files of a phonon calculation to a draft. The import adds it to a stored material as a further
 * source.
 */
import { CrystalError, type Structure, toRoundedPymatgenDict } from '@unitcell/crystal';
import { type MaterialDraft, NO_PROPERTIES, NOTHING_GIVEN, type Phonons } from '@unitcell/material';
import { roundTo } from '@unitcell/numerics';
import {
  type FinishedPhonons,
  type ForceConstants,
  type PhonopyFiles,
  PotentialError,
  readAbinitDdb,
  readPhonopy,
  readPhonopyBands,
  readPhonopyMesh,
  readPymatgenPhonons,
  readQuantumEspresso,
} from '@unitcell/potential';
import {
  analyzeSymmetry,
  catalogueCells,
  kPointLabel,
  readableLabel,
  SymmetryError,
} from '@unitcell/symmetry';
import {
  hasImaginary,
  hasImaginaryStates,
  meshResults,
  phononResults,
  storedConstants,
  thermalJson,
} from '../../../domain/potential/phonon-results.ts';
import { assertPhonons } from './phonons-of-material.ts';
import { RefusedUnit } from './refused-unit.ts';
import { functionalIn, type StatedOrigin } from './stated-origin.ts';

/** Å. Tight, because calculated positions are exact. Force constants require all symmetry operations. */
const SYMPREC = 1e-4;

export const crystalTools = {
  primitiveOf: (structure: Structure): Structure => catalogueCells(structure).given.structure,
  operationsOf: (structure: Structure) => analyzeSymmetry(structure, { symprec: SYMPREC }).operations,
};

type Found =
  | { readonly constants: ForceConstants; readonly program: string }
  | { readonly finished: FinishedPhonons; readonly program: string };

/** Returns the text of the first file whose name matches: `al.band.yaml` counts as a band.yaml. */
const ending = (texts: ReadonlyMap<string, string>, end: RegExp): string | undefined =>
  [...texts].find(([name]) => end.test(name))?.[1];

function phonopyFiles(texts: ReadonlyMap<string, string>): PhonopyFiles {
  const yaml =
    texts.get('phonopy_params.yaml') ?? texts.get('phonopy.yaml') ?? texts.get('phonopy_disp.yaml');
  const files = {
    yaml,
    sposcar: texts.get('SPOSCAR'),
    forceSets: texts.get('FORCE_SETS'),
    forceConstants: texts.get('FORCE_CONSTANTS'),
    born: texts.get('BORN'),
  };
  return Object.fromEntries(Object.entries(files).filter(([, text]) => text !== undefined));
}

/** @throws PotentialError, CrystalError, SymmetryError */
function read(texts: ReadonlyMap<string, string>): Found {
  const [ddb, fc] = [ending(texts, /DDB$/), ending(texts, /\.fc$/)];
  if (ddb !== undefined) return { constants: readAbinitDdb(ddb, crystalTools), program: 'ABINIT' };
  if (fc !== undefined) return { constants: readQuantumEspresso(fc), program: 'Quantum ESPRESSO' };
  const [bands, mesh] = [ending(texts, /band\.yaml$/), ending(texts, /mesh\.yaml$/)];
  const files = phonopyFiles(texts);
  const hasForces = files.forceSets !== undefined || files.forceConstants !== undefined;
  const isFinished = bands !== undefined || mesh !== undefined;
  // A phonopy.yaml in a folder with finished bands often lacks the forces.
  if (hasForces || !isFinished) return { constants: readPhonopy(files, crystalTools), program: 'phonopy' };
  const ofMesh = mesh === undefined ? undefined : readPhonopyMesh(mesh);
  const ofBands = bands === undefined ? undefined : readPhonopyBands(bands);
  const finished = ofBands ?? ofMesh;
  if (!finished) throw new RefusedUnit('neither bands nor a mesh');
  return { finished: { ...finished, ...(ofMesh?.mesh && { mesh: ofMesh.mesh }) }, program: 'phonopy' };
}

/** Writes `GAMMA`, `\Gamma` and Γ as Γ. */
const labelOf = (name: string): string => {
  const { symbol, index } = kPointLabel(name);
  return readableLabel(index === '' ? symbol : `${symbol}_${index}`);
};

/** Largest number of named k-points; paths through a Brillouin zone have fewer. */
const MOST_MODE_POINTS = 100;

const roundedParts = (parts: readonly number[]): number[] => parts.map((part) => roundTo(part, 5));

function ofFinished({
  structure,
  bands,
  mesh,
  density,
  thermal,
}: FinishedPhonons): Omit<Phonons, 'functional'> {
  const derived = mesh && meshResults(mesh);
  const dos =
    derived?.dos ??
    (density && {
      frequencies: density.frequencies,
      total: density.total,
      ...(density.byAtom && { by_atom: density.byAtom }),
    });
  const values = derived?.thermal ?? (thermal && thermalJson(thermal));
  const frequencies = [...bands.flatMap((point) => point.frequencies), ...(mesh?.frequencies ?? [])];
  const named = bands.flatMap(({ q, displacements }) =>
    displacements ? [{ q: [...q], displacements: displacements.map((mode) => mode.map(roundedParts)) }] : [],
  );
  return {
    structure: toRoundedPymatgenDict(structure),
    bands: bands.map(({ q, label, frequencies: modes }) => ({
      q: [...q],
      ...(label === undefined ? {} : { label: labelOf(label) }),
      frequencies: modes.map((frequency) => roundTo(frequency, 4)),
    })),
    has_imaginary_modes:
      frequencies.length === 0 && density ? hasImaginaryStates(density) : hasImaginary(frequencies),
    ...(named.length > 0 && named.length <= MOST_MODE_POINTS && { modes: named }),
    ...(dos && { dos }),
    ...(values && { thermal: values }),
  };
}

const ofConstants = (constants: ForceConstants): Omit<Phonons, 'functional'> => ({
  ...phononResults(constants),
  force_constants: storedConstants(constants),
});

/** The operator states the functional because no file contains it. @throws RefusedUnit */
function functionalOf({ scale }: StatedOrigin): string {
  const functional = scale === undefined ? undefined : functionalIn(scale);
  if (functional !== undefined) return functional;
  throw new RefusedUnit(
    'the files do not state the functional of the phonons: pass it with --scale, such as --scale PBEsol',
  );
}

/** @throws RefusedUnit */
function draftOf(id: string, functional: string, find: () => Found): MaterialDraft {
  try {
    const found = find();
    const structure = 'constants' in found ? found.constants.structure : found.finished.structure;
    const results = 'constants' in found ? ofConstants(found.constants) : ofFinished(found.finished);
    const phonons: Phonons = { functional, ...results };
    assertPhonons(phonons, phonons.structure);
    return {
      structId: null,
      structure,
      energies: [],
      given: { ...NOTHING_GIVEN, sourceName: 'phonons', sourceId: id },
      provenance: { phonons: { kind: 'calculated', code: found.program, functional } },
      properties: { ...NO_PROPERTIES, phonons: [phonons] },
    };
  } catch (error) {
    if (error instanceof PotentialError || error instanceof SymmetryError || error instanceof CrystalError)
      throw new RefusedUnit(error.message);
    throw error;
  }
}

/** @param text JSON object of the names and texts of the files of a calculation @throws RefusedUnit */
export function draftFromPhonons(label: string, text: string, origin: StatedOrigin): MaterialDraft {
  const functional = functionalOf(origin);
  const texts = new Map(Object.entries(JSON.parse(text) as Record<string, string>));
  return draftOf(label, functional, () => read(texts));
}

/** Converts a document of pymatgen or the Materials Project. @throws RefusedUnit */
export function draftFromPymatgenPhonons(label: string, json: unknown, origin: StatedOrigin): MaterialDraft {
  const { material_id: id, mp_id: other } = json as {
    readonly material_id?: unknown;
    readonly mp_id?: unknown;
  };
  const named = [id, other].find((one) => typeof one === 'string');
  return draftOf(typeof named === 'string' ? named : label, functionalOf(origin), () => ({
    finished: readPymatgenPhonons(json),
    program: 'pymatgen',
  }));
}
