/** VASP as a `Calculator`, for institutes with a licence. */
import {
  type CalculationStep,
  type Calculator,
  failed,
  isContinuedEnough,
  type RunOutput,
  scfRetry,
  type StepOutcome,
  type StepRequest,
} from '../calculator.ts';
import { CalculatorError } from '../error.ts';
import { deckStructure, samplingSettings } from '../sampling.ts';
import { groupedBySpecies, vaspIncar, vaspKpoints, vaspPoscar } from './deck.ts';
import {
  readVaspDos,
  readVaspEigenvalues,
  readVaspGeometry,
  readVaspOutcar,
  type VaspOutcar,
} from './read-output.ts';

/** Moments in the order of the sites. VASP lists them by species. */
function momentsOfSites({ moments, structure }: StepRequest, { localMoments }: VaspOutcar): number[] {
  const { order } = groupedBySpecies(structure);
  if (!moments || localMoments.length !== order.length) return [];
  return order.map((_, site) => localMoments[order.indexOf(site)]);
}

function readRelax(request: StepRequest, files: RunOutput['files']): StepOutcome {
  const outcar = readVaspOutcar(files.OUTCAR ?? '');
  const structure = readVaspGeometry(files.CONTCAR ?? '', request.structure);
  if (!structure) return failed('output-incomplete', 'CONTCAR has no geometry');
  if (outcar.isRelaxed)
    return {
      kind: 'done',
      result: {
        structure,
        magnetization: request.moments ? outcar.magnetization : null,
        localMoments: momentsOfSites(request, outcar),
      },
      warnings: [],
    };
  if (!outcar.isScfConverged) return scfRetry(request);
  if (isContinuedEnough(request))
    return failed('relax-not-converged', `forces of ${outcar.maxForce.toFixed(3)} eV/Å are left`);
  return {
    kind: 'retry',
    workarounds: [...request.workarounds, 'continue'],
    structure,
    cause: 'forces are not small enough yet',
  };
}

function readStatic(request: StepRequest, files: RunOutput['files']): StepOutcome {
  const outcar = readVaspOutcar(files.OUTCAR ?? '');
  if (!outcar.isScfConverged) return scfRetry(request);
  const { energy, freeEnergy, fermiEnergy } = outcar;
  if (energy === null || freeEnergy === null || fermiEnergy === null)
    return failed('output-incomplete', 'OUTCAR has no total energy');
  return {
    kind: 'done',
    result: {
      energy,
      freeEnergy,
      fermiEnergy,
      maxForce: outcar.maxForce,
      pressureGpa: outcar.pressureGpa,
      magnetization: request.moments ? outcar.magnetization : null,
      localMoments: momentsOfSites(request, outcar),
      eigenvalues: readVaspEigenvalues(files.EIGENVAL ?? ''),
    },
    warnings: [],
  };
}

function readBands(request: StepRequest, files: RunOutput['files']): StepOutcome {
  const channels = readVaspEigenvalues(files.EIGENVAL ?? '');
  const kPoints = request.kPoints ?? [];
  return channels.some((channel) => channel.kPoints.length !== kPoints.length)
    ? failed('output-incomplete', `${channels[0].kPoints.length} of ${kPoints.length} k-points`)
    : {
        kind: 'done',
        result: { eigenvalues: channels.map((channel) => ({ ...channel, kPoints })) },
        warnings: [],
      };
}

function outcomeOf(request: StepRequest, { exitCode, signal, files }: RunOutput): StepOutcome {
  const log = files.log ?? '';
  if (signal === 'SIGKILL') return failed('out-of-memory', 'the engine was killed (SIGKILL)');
  if (/insufficient virtual memory|cannot allocate memory/i.test(log))
    return failed('out-of-memory', log.slice(-300));
  const complaint = /^.*(?:VERY BAD NEWS|ERROR:|I REFUSE TO CONTINUE).*$/m.exec(log)?.[0];
  if (complaint) return failed('engine-refused', complaint);
  if (exitCode !== 0 || !readVaspOutcar(files.OUTCAR ?? '').isComplete)
    return failed('engine-crashed', `exit ${exitCode ?? signal}: ${log.slice(-300)}`);
  switch (request.step) {
    case 'relax':
      return readRelax(request, files);
    case 'static':
      return readStatic(request, files);
    case 'bands':
      return readBands(request, files);
    default:
      return { kind: 'done', result: readVaspDos(files.DOSCAR ?? '', request.structure), warnings: [] };
  }
}

export const vasp: Calculator = {
  name: 'VASP',
  abilities: [],

  plan(request) {
    const parts = deckStructure(request.structure);
    const isOnFixedDensity = request.step === 'bands' || request.step === 'dos';
    return {
      files: {
        INCAR: vaspIncar(request, parts),
        KPOINTS: vaspKpoints(request),
        POSCAR: vaspPoscar(request),
      },
      needs: isOnFixedDensity ? [{ step: 'static', file: 'CHGCAR', as: 'CHGCAR' }] : [],
      reads: /^(OUTCAR|EIGENVAL|DOSCAR|CONTCAR|log)$/,
      settings: samplingSettings(request),
    };
  },

  read<S extends CalculationStep>(
    request: StepRequest & { readonly step: S },
    output: RunOutput,
  ): StepOutcome<S> {
    try {
      return outcomeOf(request, output) as StepOutcome<S>;
    } catch (error) {
      if (!(error instanceof CalculatorError)) throw error;
      return failed('output-incomplete', error.message);
    }
  },

  resume: (request, files) => readVaspGeometry(files.CONTCAR ?? '', request.structure),
};

/**
 * The element and valence at the start of a POTCAR: `PAW_PBE Si 05Jan2001` and, on the next line, `4.000`.
 */
export function readPotcarHead(text: string): { title: string; valence: number } {
  const [title = '', valence = ''] = text.split('\n', 2).map((line) => line.trim());
  if (!(Number(valence) > 0) || !title.startsWith('PAW'))
    throw new CalculatorError(
      'data-set',
      `this is no POTCAR: its first line is ${JSON.stringify(title.slice(0, 60))}`,
    );
  return { title, valence: Number(valence) };
}
