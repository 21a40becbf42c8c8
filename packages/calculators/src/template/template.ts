/**
 * The template engine: any command that reads `request.json` and writes `result.json` in its working folder.
 *
 * Structures have the OPTIMADE format (`lattice_vectors`, `cartesian_site_positions` in Å, `species_at_sites`);
 * energies are in eV, k-points in fractions of the reciprocal cell. For an example of each step see
 * docs/methods/engines.md.
 */
import type { Structure } from '@unitcell/crystal';
import { determinant3, inverse3, type Mat3, rowTimesMatrix3, type Vec3 } from '@unitcell/numerics';
import {
  type CalculationStep,
  type Calculator,
  type DosResult,
  type Eigenvalues,
  failed,
  type FailureCode,
  type RunOutput,
  type StepOutcome,
  type StepRequest,
} from '../calculator.ts';
import { deckStructure } from '../sampling.ts';
import { PRESETS } from '../presets.ts';

type Json = Readonly<Record<string, unknown>>;

const FAILURES: readonly FailureCode[] = [
  'scf-not-converged',
  'relax-not-converged',
  'out-of-memory',
  'engine-refused',
  'engine-crashed',
  'time-limit',
];

/** Å³. A smaller volume is not a valid cell, because its atoms would overlap. */
const SMALLEST_CELL = 1e-3;

/** `result.json` violates the format of its step. */
class BadResult extends Error {
  override readonly name = 'BadResult';
}

export function toOptimade(structure: Structure) {
  return {
    lattice_vectors: structure.latticeVectors,
    cartesian_site_positions: structure.sites.map(({ fractionalCoords }) =>
      rowTimesMatrix3(fractionalCoords, structure.latticeVectors),
    ),
    species_at_sites: deckStructure(structure).siteElements,
  };
}

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'number' && Number.isFinite(entry));
const isVector = (value: unknown): value is Vec3 => isNumbers(value) && value.length === 3;
const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null;

function numberOf(json: Json, key: string): number {
  const value = json[key];
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new BadResult(`result.json: ${key} is ${JSON.stringify(value)}; expected a number`);
  return value;
}

const optional = <Fallback extends number | null>(
  json: Json,
  key: string,
  fallback: Fallback,
): number | Fallback => (json[key] === undefined ? fallback : numberOf(json, key));

/** The structure of a result, with sites in the order of the request. */
function structureOf(json: unknown, given: Structure): Structure {
  const { lattice_vectors: rows, cartesian_site_positions: positions } = (json ?? {}) as Json;
  if (!Array.isArray(rows) || rows.length !== 3 || !rows.every(isVector))
    throw new BadResult('result.json: structure.lattice_vectors must be three vectors in Å');
  if (!Array.isArray(positions) || positions.length !== given.sites.length || !positions.every(isVector))
    throw new BadResult(
      `result.json: structure.cartesian_site_positions must be ${given.sites.length} vectors in Å`,
    );
  const latticeVectors: Mat3 = [rows[0], rows[1], rows[2]];
  if (!(Math.abs(determinant3(latticeVectors)) > SMALLEST_CELL))
    throw new BadResult(
      'result.json: structure.lattice_vectors lie in one plane; expected a cell with a volume',
    );
  const toFractional = inverse3(latticeVectors);
  return {
    latticeVectors,
    sites: given.sites.map((site, index) => ({
      ...site,
      fractionalCoords: rowTimesMatrix3(positions[index], toFractional),
    })),
  };
}

function eigenvaluesOf(json: Json): Eigenvalues[] {
  const channels = json.eigenvalues;
  if (!Array.isArray(channels) || channels.length < 1 || channels.length > 2)
    throw new BadResult('result.json: eigenvalues must have one entry, or two with spin');
  return channels.map((channel: unknown) => {
    if (!isRecord(channel)) throw new BadResult('result.json: an entry of eigenvalues must be an object');
    const { k_points: kPoints, weights, energies } = channel;
    if (!Array.isArray(kPoints) || !kPoints.every(isVector))
      throw new BadResult('result.json: eigenvalues.k_points must be vectors');
    if (!Array.isArray(energies) || energies.length !== kPoints.length || !energies.every(isNumbers))
      throw new BadResult('result.json: eigenvalues.energies must be one list of numbers per k-point');
    return {
      kPoints,
      weights: isNumbers(weights) ? weights : kPoints.map(() => 1 / kPoints.length),
      energies,
    };
  });
}

function dosOf(json: Json): DosResult {
  const { energies, total, projected } = json;
  if (!isNumbers(energies)) throw new BadResult('result.json: energies must be a list of numbers');
  const isColumn = (value: unknown): value is number[] =>
    isNumbers(value) && value.length === energies.length;
  if (!Array.isArray(total) || total.length < 1 || !total.every(isColumn))
    throw new BadResult('result.json: total must be one list per spin, as long as energies');
  const columns = Object.entries((projected ?? {}) as Json).filter(([, values]) => isColumn(values));
  return { energies, total, projected: Object.fromEntries(columns) as Record<string, number[]> };
}

function resultOf(request: StepRequest, json: Json) {
  const magnetization = request.moments ? optional(json, 'magnetization', null) : null;
  const localMoments = isNumbers(json.local_moments) ? json.local_moments : [];
  switch (request.step) {
    case 'relax':
      return {
        structure: structureOf(json.structure, request.structure),
        magnetization,
        localMoments,
      };
    case 'static':
      return {
        energy: numberOf(json, 'energy'),
        freeEnergy: optional(json, 'free_energy', numberOf(json, 'energy')),
        fermiEnergy: numberOf(json, 'fermi_energy'),
        maxForce: optional(json, 'max_force', 0),
        pressureGpa: optional(json, 'pressure_gpa', 0),
        magnetization,
        localMoments,
        eigenvalues: eigenvaluesOf(json),
      };
    case 'bands':
      return { eigenvalues: eigenvaluesOf(json) };
    default:
      return dosOf(json);
  }
}

function outcomeOf(request: StepRequest, { exitCode, signal, files }: RunOutput): StepOutcome {
  const text = files['result.json'];
  if (text === undefined || exitCode !== 0)
    return failed(
      signal === 'SIGKILL' ? 'out-of-memory' : 'engine-crashed',
      `exit ${exitCode ?? signal}: ${(files.log ?? '').slice(-300).trim()}`,
    );
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return failed('output-incomplete', 'result.json is no JSON');
  }
  if (!isRecord(json)) return failed('output-incomplete', 'result.json is no JSON object');
  if (json.error !== undefined) {
    const code = FAILURES.find((known) => known === json.error) ?? 'engine-refused';
    return failed(code, typeof json.message === 'string' ? json.message : JSON.stringify(json.error));
  }
  try {
    return { kind: 'done', result: resultOf(request, json), warnings: [] };
  } catch (error) {
    if (!(error instanceof BadResult)) throw error;
    return failed('output-incomplete', error.message);
  }
}

export const template: Calculator = {
  name: 'template',
  abilities: [],

  plan(request) {
    const { structure, step, preset, moments, isMetal, kPoints, fermiEnergy } = request;
    const json = {
      step,
      preset,
      settings: PRESETS[preset],
      is_metal: isMetal,
      moments,
      structure: toOptimade(structure),
      ...(kPoints ? { k_points: kPoints } : {}),
      ...(fermiEnergy === undefined ? {} : { fermi_energy: fermiEnergy }),
    };
    const needs =
      step === 'bands' || step === 'dos'
        ? [{ step: 'static' as const, file: 'result.json', as: 'static.json' }]
        : [];
    return {
      files: { 'request.json': `${JSON.stringify(json)}\n` },
      needs,
      reads: /^(result\.json|log)$/,
      settings: { preset },
    };
  },

  read<S extends CalculationStep>(
    request: StepRequest & { readonly step: S },
    output: RunOutput,
  ): StepOutcome<S> {
    return outcomeOf(request, output) as StepOutcome<S>;
  },

  resume({ structure }, files) {
    try {
      return structureOf((JSON.parse(files['result.json'] ?? '') as Json).structure, structure);
    } catch {
      return null;
    }
  },
};
