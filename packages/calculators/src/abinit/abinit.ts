/** ABINIT as a `Calculator`: the input files of a step, and the interpretation of its outputs. */
import {
  type CalculationStep,
  type Calculator,
  type Failed,
  failed,
  isContinuedEnough,
  type Retry,
  type RunOutput,
  scfRetry,
  type StepOutcome,
  type StepRequest,
  type StepResults,
  type Workaround,
} from '../calculator.ts';
import { CalculatorError } from '../error.ts';
import { deckStructure, samplingSettings } from '../sampling.ts';
import { abinitDeck, abinitNeeds, DENSITY_FILE, ELASTIC_STRAIN, STRAINED_CELLS } from './deck.ts';
import { readAbinitDos, readAbinitEigenvalues } from './read-eigenvalues.ts';
import {
  documents,
  finalStresses,
  groundStates,
  isCompleted,
  isRelaxed,
  isScfConverged,
  lastGeometry,
  localMoments,
  totalEnergies,
  totalMagnetization,
} from './read-output.ts';

/** Errors that ABINIT reports as YAML documents; each is identified by the start of its message. */
function reportedError(log: string): { tag: string; message: string } | null {
  const match = /^--- !(ERROR|BUG|\w+Error)\n([\s\S]*?)\n\.\.\.$/m.exec(log);
  if (!match) return null;
  const message = /message: \|\n([\s\S]*)$/.exec(match[2])?.[1] ?? match[2];
  return { tag: match[1], message: message.replaceAll(/\s+/g, ' ').trim() };
}

const isBadLineSearch = (tag: string, message: string, log: string): boolean =>
  /ionmov22/i.test(tag) || /lbfgs/i.test(message) || /src_file: m_pred_lbfgs/.test(log);

/** Settings to change for the next attempt of a relaxation; null if all changes have been tried. */
function relaxRetry(request: StepRequest, added: Workaround, abo: string, cause: string): Retry | null {
  if (request.workarounds.includes(added) && added !== 'continue') return null;
  if (isContinuedEnough(request)) return null;
  const structure = lastGeometry(abo, request.structure);
  return {
    kind: 'retry',
    workarounds: [...request.workarounds, added, ...(added === 'continue' ? [] : (['continue'] as const))],
    ...(structure ? { structure } : {}),
    cause,
  };
}

/** The reason why a run ended early; null if it finished. */
function fault(request: StepRequest, { exitCode, signal, files }: RunOutput): Failed | Retry | null {
  const [log, abo] = [files.log ?? '', files['run.abo'] ?? ''];
  const error = reportedError(log);
  if (error) {
    const { tag, message } = error;
    if (tag === 'MemanaError') return failed('out-of-memory', message);
    if (request.step === 'relax') {
      const again =
        tag === 'DilatmxError'
          ? relaxRetry(request, 'wide-cell-range', abo, 'the cell grew beyond its range')
          : isBadLineSearch(tag, message, log)
            ? relaxRetry(request, 'plain-bfgs', abo, 'the line search gave up')
            : null;
      if (again) return again;
    }
    return failed('engine-refused', message);
  }
  if (/Approaching time limit|exit_requested_by_user: yes/.test(log))
    return failed('time-limit', 'stopped in time');
  if (signal === 'SIGKILL' && !isCompleted(abo))
    return failed('out-of-memory', 'the engine was killed (SIGKILL)');
  if (exitCode !== 0 || !isCompleted(abo))
    return failed('engine-crashed', `exit ${exitCode ?? signal}: ${log.slice(-300)}`);
  return null;
}

function readRelax(request: StepRequest, abo: string): StepOutcome<'relax'> {
  const states = groundStates(abo);
  const structure = lastGeometry(abo, request.structure);
  const last = states.at(-1);
  if (!structure || !last) return failed('output-incomplete', 'no geometry in run.abo');
  if (!isRelaxed(abo)) {
    if (!isScfConverged(abo)) {
      const again = scfRetry(request);
      if (again.kind === 'retry') return { ...again, structure };
    }
    return (
      relaxRetry(request, 'continue', abo, 'forces are not small enough yet') ??
      failed('relax-not-converged', `forces of ${last.maxForce.toFixed(3)} eV/Å are left`)
    );
  }
  const result: StepResults['relax'] = {
    structure,
    magnetization: request.moments ? totalMagnetization(abo) : null,
    localMoments: request.moments ? localMoments(abo, structure.sites.length) : [],
  };
  return { kind: 'done', result, warnings: [] };
}

function readStatic(request: StepRequest, abo: string, eigenvalues: string): StepOutcome<'static'> {
  if (!isScfConverged(abo)) return scfRetry(request);
  const energies = totalEnergies(abo);
  const state = groundStates(abo).at(-1);
  if (!energies || !state || state.fermiEnergy === null)
    return failed('output-incomplete', 'no total energy in run.abo');
  const result: StepResults['static'] = {
    ...energies,
    fermiEnergy: state.fermiEnergy,
    maxForce: state.maxForce,
    pressureGpa: state.pressureGpa,
    magnetization: request.moments ? totalMagnetization(abo) : null,
    localMoments: request.moments ? localMoments(abo, request.structure.sites.length) : [],
    eigenvalues: readAbinitEigenvalues(eigenvalues),
  };
  return { kind: 'done', result, warnings: [] };
}

function readBands(request: StepRequest, eigenvalues: string): StepOutcome<'bands'> {
  const channels = readAbinitEigenvalues(eigenvalues);
  const expected = request.kPoints?.length ?? 0;
  if (channels.some(({ kPoints }) => kPoints.length !== expected))
    return failed('output-incomplete', `${channels[0].kPoints.length} of ${expected} k-points`);
  // The file rounds k-points to four digits, so the requested k-points are used, which are exact.
  const result = { eigenvalues: channels.map((channel) => ({ ...channel, kPoints: request.kPoints ?? [] })) };
  return { kind: 'done', result, warnings: [] };
}

function readElastic(request: StepRequest, abo: string): StepOutcome<'elastic'> {
  if (!isScfConverged(abo)) return scfRetry(request);
  const relaxed = abo.match(/gradients are converged/g)?.length ?? 0;
  if (relaxed < STRAINED_CELLS)
    return failed(
      'relax-not-converged',
      `the atoms of ${STRAINED_CELLS - relaxed} strained cells found no rest`,
    );
  const stresses = finalStresses(abo);
  const columns = Array.from({ length: STRAINED_CELLS / 2 }, (_, strain) => {
    const [longer, shorter] = [stresses.get(2 * strain + 1), stresses.get(2 * strain + 2)];
    return longer && shorter && longer.map((value, k) => (value - shorter[k]) / (2 * ELASTIC_STRAIN));
  }).filter((column) => column !== undefined);
  if (columns.length < STRAINED_CELLS / 2)
    return failed('output-incomplete', 'stresses are missing in run.abo');
  const tensor = columns.map((column, i) => column.map((value, j) => (value + columns[j][i]) / 2));
  return { kind: 'done', result: { tensor }, warnings: [] };
}

function readPhonons(request: StepRequest, abo: string, derivatives: string): StepOutcome<'phonons'> {
  if (!isScfConverged(abo)) return scfRetry(request);
  // Some versions end the file with a list of its blocks and others do not, so the announced elements are counted.
  const [, count, block = ''] =
    /2nd derivatives.*elements\s*:\s*(\d+)\s*\n\s*qpt.*\n([\s\S]*)/.exec(derivatives) ?? [];
  const elements = block.match(/^(?:\s+\d+){4}\s+\S+D[+-]\d+\s+\S+D[+-]\d+\s*$/gm) ?? [];
  if (count === undefined || elements.length < Number(count))
    return failed('output-incomplete', 'the second derivatives in runo_DS3_DDB are missing or cut off');
  return { kind: 'done', result: { derivatives }, warnings: [] };
}

function readStep(request: StepRequest, files: RunOutput['files']): StepOutcome {
  const abo = files['run.abo'] ?? '';
  const eigenvalues = files.runo_EIG ?? '';
  switch (request.step) {
    case 'relax':
      return readRelax(request, abo);
    case 'static':
      return readStatic(request, abo, eigenvalues);
    case 'bands':
      return readBands(request, eigenvalues);
    case 'elastic':
      return readElastic(request, abo);
    case 'phonons':
      return readPhonons(request, abo, files.runo_DS3_DDB ?? '');
    default: {
      const { siteElements } = deckStructure(request.structure);
      const channels = request.moments ? 2 : 1;
      const fermiEnergy = request.fermiEnergy ?? 0;
      return {
        kind: 'done',
        result: readAbinitDos(files, { siteElements, channels, fermiEnergy }),
        warnings: [],
      };
    }
  }
}

/** Sources of the warnings of a run, such as `m_pawpsp.F90`; stored as provenance. */
const warningsIn = (log: string): string[] =>
  [...new Set(documents(log, 'WARNING').map((body) => /src_file: (\S+)/.exec(body)?.[1] ?? ''))].filter(
    Boolean,
  );

export const abinit: Calculator = {
  name: 'ABINIT',
  abilities: ['hubbard-u', 'dispersion', 'elastic', 'phonons'],
  densityFile: DENSITY_FILE,

  plan(request) {
    return {
      files: { 'run.abi': abinitDeck(request) },
      needs: abinitNeeds(request),
      reads: /^(run\.abo|log|runo_EIG|runo_DOS(_TOTAL|_AT\d+)?|runo_DS3_DDB)$/,
      settings: samplingSettings(request),
    };
  },

  read<S extends CalculationStep>(
    request: StepRequest & { readonly step: S },
    output: RunOutput,
  ): StepOutcome<S> {
    const broken = fault(request, output);
    if (broken) return broken;
    try {
      const outcome = readStep(request, output.files);
      return (
        outcome.kind === 'done' ? { ...outcome, warnings: warningsIn(output.files.log ?? '') } : outcome
      ) as StepOutcome<S>;
    } catch (error) {
      if (!(error instanceof CalculatorError)) throw error;
      return failed('output-incomplete', error.message);
    }
  },

  resume: (request, files) => lastGeometry(files['run.abo'] ?? '', request.structure),
};
