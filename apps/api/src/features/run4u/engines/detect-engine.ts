/** Detects the engine on this machine. */
import { template, type DataSet, PRESETS, readPotcarHead, vasp } from '@unitcell/calculators';
import { findProgram } from '../executors/executor.ts';
import type { ProgramName, Run4uSettings } from '../run4u-settings.ts';
import { detectAbinit } from './abinit-engine.ts';
import { builtInEngine, type Detection, type ProgramDetection } from './engine.ts';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';

type Detector = (settings: Run4uSettings, searchPath: string) => Promise<ProgramDetection>;

const DETECTORS: Readonly<Record<ProgramName, Detector>> = {
  abinit: detectAbinit,
  vasp: detectVasp,
  template: detectTemplate,
};

/**
 * Returns the engine of RUN4U_ENGINE; without that setting ABINIT, any other program that has been set up, or
 * the built-in potential. For a cluster without a program it returns what the operator must install.
 */
export async function detectEngine(settings: Run4uSettings, searchPath: string): Promise<Detection> {
  const { engine, executor } = settings;
  if (engine === 'none') return { engine: null, missing: 'RUN4U_ENGINE is none' };
  if (engine === 'built-in') return { engine: builtInEngine() };
  if (engine) return DETECTORS[engine](settings, searchPath);
  const standard = await detectAbinit(settings, searchPath);
  if (standard.engine) return standard;
  for (const detect of [detectVasp, detectTemplate]) {
    const other = await detect(settings, searchPath);
    if (other.engine) return other;
  }
  return executor === 'local' ? { engine: builtInEngine() } : standard;
}

// Detects a command of the operator that reads request.json and writes result.json (docs/methods/engines.md).

export async function detectTemplate(settings: Run4uSettings, searchPath: string): Promise<ProgramDetection> {
  const [name, ...parameters] = settings.engines.template.command;
  if (name === undefined)
    return {
      engine: null,
      missing: 'RUN4U_TEMPLATE_COMMAND is not set: give the command that turns request.json into result.json',
    };
  const program = settings.ssh ? name : findProgram(name, searchPath);
  if (!program) return { engine: null, missing: `${name} of RUN4U_TEMPLATE_COMMAND is not on this machine` };
  return {
    engine: {
      name: 'template',
      version: name,
      calculator: template,
      energyScale: (functional) => `${functional} (${name.split('/').at(-1)})`,
      // The operator's command has its own data sets and reports which elements it supports.
      dataSets: async () => ({ found: {}, missing: [] }),
      prepare: async () => undefined,
      command: () => [program, ...parameters],
    },
  };
}

// VASP for an institute that owns a licence: its program, and its folder of POTCARs (one folder per element).

async function detectVasp(settings: Run4uSettings, searchPath: string): Promise<ProgramDetection> {
  const [name = 'vasp_std', ...parameters] = settings.engines.vasp.command;
  const folder = settings.engines.vasp.potcars;
  if (folder === null || !existsSync(folder))
    return {
      engine: null,
      missing: 'RUN4U_VASP_POTCARS must name the folder of your PBE POTCARs (Si/POTCAR, …)',
    };
  const program = settings.ssh ? name : findProgram(name, searchPath);
  if (!program) return { engine: null, missing: `${name} of RUN4U_VASP_COMMAND is not on this machine` };
  return {
    engine: {
      name: 'vasp',
      version: name,
      calculator: vasp,
      energyScale: (functional) => `${functional} (VASP, ${PRESETS[settings.preset].cutoffHa} Ha)`,
      async dataSets(elements) {
        const found: Record<string, DataSet> = {};
        const missing: string[] = [];
        for (const element of elements) {
          const text = await readFile(join(folder, element, 'POTCAR'), 'latin1').catch(() => null);
          if (text === null) missing.push(element);
          else
            found[element] = {
              element,
              fileName: join(element, 'POTCAR'),
              valence: readPotcarHead(text).valence,
              sha256: createHash('sha256').update(text, 'latin1').digest('hex'),
            };
        }
        return { found, missing };
      },
      async prepare(request, runFolder) {
        const potcar = join(runFolder, 'POTCAR');
        // The species in the POSCAR are in the order of their first sites.
        const elements = [...new Set(request.structure.sites.map((site) => site.species[0]!.element))];
        for (const [index, element] of elements.entries()) {
          const from = join(folder, element, 'POTCAR');
          if (index === 0) await copyFile(from, potcar);
          else await appendFile(potcar, await readFile(from));
        }
      },
      command: () => [program, ...parameters],
    },
  };
}
