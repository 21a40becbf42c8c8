/** `unitcell calculate FILE`: results of the interatomic potential for a crystal, without a database. */
import { readFile } from 'node:fs/promises';
import { type WorkingIon, WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import { type PotentialName, POTENTIALS } from '@unitcell/contract/run4u';
import { fromPymatgenDict, latticeParameters, readStructureText, type Structure } from '@unitcell/crystal';
import { ScienceError } from '@unitcell/errors';
import { mirrorAverage } from '@unitcell/potential';
import { type Command, Option } from 'commander';
import { builtInPotential } from '../domain/potential/built-in-potential.ts';
import { calculate, type CalculationJson, type Task, TASKS } from '../domain/potential/calculate.ts';
import { CommandFailed } from './command-failed.ts';

interface CalculateFlags {
  readonly tasks: string;
  readonly ion?: string;
  readonly potential: PotentialName;
  readonly free?: boolean;
  readonly mirror?: boolean;
  readonly json?: boolean;
}

/** @throws CommandFailed naming words that are not tasks */
function readTasks(text: string): Task[] {
  const words = text.split(',').map((word) => word.trim());
  return words.map((word) => {
    const task = TASKS.find((name) => name === word);
    if (!task) throw new CommandFailed(`--tasks ${text}: expected some of ${TASKS.join(',')}`);
    return task;
  });
}

/** @throws CommandFailed when the word is not a working ion */
function readIon(word: string | undefined): WorkingIon | undefined {
  const ion = WORKING_IONS.find((name) => name === word);
  if (word !== undefined && !ion)
    throw new CommandFailed(`--ion ${word}: expected one of ${WORKING_IONS.join(',')}`);
  return ion;
}

async function readStructureFile(path: string): Promise<Structure> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new CommandFailed(`${path} cannot be read`);
  });
  const [first] = readStructureText(text, path).structures;
  if (!first) throw new CommandFailed(`${path} contains no structure`);
  return first.structure;
}

function linesOf(result: CalculationJson): string[] {
  const { relaxation, structure, eos, elastic_moduli: moduli, phonons, expansion, barrier } = result;
  const lines = [`${result.formula}: ${result.energy_per_atom.toFixed(6)} eV/atom as submitted`];
  if (relaxation && structure) {
    const { a, b, c, alpha, beta, gamma } = latticeParameters(fromPymatgenDict(structure).latticeVectors);
    const cell = [a, b, c].map((length) => length.toFixed(4)).join(' ');
    const angles = [alpha, beta, gamma].map((angle) => angle.toFixed(2)).join(' ');
    const end = relaxation.is_converged ? '' : ', not converged';
    lines.push(
      `relaxed: ${relaxation.energy_per_atom.toFixed(6)} eV/atom in ${relaxation.steps} steps${end}; cell ${cell} Å, ${angles}°`,
    );
  }
  if (eos)
    lines.push(
      `equation of state: ${eos.volume_per_atom.toFixed(4)} Å³/atom, ${eos.bulk_modulus.toFixed(1)} GPa`,
    );
  if (moduli)
    lines.push(
      `elastic: bulk ${moduli.bulk_modulus.toFixed(1)} GPa, shear ${moduli.shear_modulus.toFixed(1)} GPa${moduli.is_mechanically_stable ? '' : ', unstable'}`,
    );
  if (phonons) {
    const all = phonons.bands.flatMap(({ frequencies }) => frequencies);
    lines.push(
      `phonons: ${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)} THz, supercell ${phonons.supercell.join(' × ')}${phonons.has_imaginary_modes ? '; imaginary modes: the structure is dynamically unstable' : ''}`,
    );
  }
  const warm = expansion?.rows.find(({ temperature }) => temperature === 300);
  if (warm)
    lines.push(
      `thermal expansion at 300 K: ${(1e6 * warm.expansion).toFixed(1)}e-6/K of the volume, Grüneisen parameter ${warm.gruneisen?.toFixed(2)}, ${warm.volume.toFixed(4)} Å³/atom`,
    );
  for (const { distance, multiplicity, band, refusal } of barrier?.hops ?? [])
    lines.push(
      `hop of ${barrier?.ion}, ${distance.toFixed(2)} Å, ${multiplicity} equal: ${
        band
          ? `${band.barrier_forward.toFixed(3)} eV forward, ${band.barrier_backward.toFixed(3)} eV backward${band.is_converged ? '' : ', not converged'}${band.has_stable_ends ? '' : ', an end is not stable'}`
          : (refusal ?? 'not calculated')
      }`,
    );
  return lines;
}

async function run(path: string, flags: CalculateFlags): Promise<void> {
  const tasks = readTasks(flags.tasks);
  const ion = readIon(flags.ion);
  try {
    const structure = await readStructureFile(path);
    const { name, engine } = builtInPotential(flags.potential);
    const result = calculate(flags.mirror ? mirrorAverage(engine) : engine, name, structure, tasks, {
      isFree: flags.free ?? false,
      isMirrorAveraged: flags.mirror ?? false,
      ion,
    });
    const lines = flags.json ? [JSON.stringify(result)] : linesOf(result);
    process.stdout.write(`${lines.join('\n')}\n`);
    if (!flags.json) for (const warning of result.warnings) process.stderr.write(`${warning}\n`);
    const failed = result.failed_tasks?.map(({ task, reason }) => `${task}: ${reason}`) ?? [];
    if (failed.length > 0) throw new CommandFailed(`${path}: no result of ${failed.join('; ')}`);
  } catch (error) {
    throw error instanceof ScienceError ? new CommandFailed(`${path}: ${error.message}`) : error;
  }
}

export function addCalculateCommand(program: Command): void {
  program
    .command('calculate')
    .description(
      'energy, relaxed cell, elastic tensor, phonons, thermal expansion and ion hops of a crystal by the built-in potential',
    )
    .argument('<file>', 'CIF or POSCAR')
    .option('--tasks <list>', `some of ${TASKS.join(',')}`, 'energy,relax')
    .option(
      '--ion <symbol>',
      `for the task barrier, one of ${WORKING_IONS.join(',')}; by default the first that the crystal contains`,
    )
    .addOption(
      new Option('--potential <name>', 'sevennet-l3i5 is closer to PBE and takes three times as long')
        .choices(POTENTIALS)
        .default('sevennet-0'),
    )
    .option('--free', 'let the relaxation break the symmetry of the crystal')
    .option('--mirror', 'average over the crystal and its mirror image, which differ for chiral crystals')
    .option('--json', 'machine-readable output (docs/api/calculate.md)')
    .action(run);
}
