/** Detects the engine on this machine. */
import { template } from '@unitcell/calculators';
import { findProgram } from '../executors/executor.ts';
import type { ProgramName, Run4uSettings } from '../run4u-settings.ts';
import { detectAbinit } from './abinit-engine.ts';
import { builtInEngine } from './built-in-engine.ts';
import { type Detection, type ProgramDetection } from './engine.ts';
import { detectVasp } from './vasp-engine.ts';

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
