/** Detects which engine is on this machine. */
import { template } from '@unitcell/calculators';
import { findProgram } from '../executors/find-program.ts';
import type { EngineName, Run4uSettings } from '../run4u-settings.ts';
import { detectAbinit } from './abinit-engine.ts';
import type { Detection } from './engine.ts';
import { detectVasp } from './vasp-engine.ts';

type Detector = (settings: Run4uSettings, searchPath: string) => Promise<Detection>;

const DETECTORS: Readonly<Record<EngineName, Detector>> = {
  abinit: detectAbinit,
  vasp: detectVasp,
  template: detectTemplate,
};

/**
 * The engine of RUN4U_ENGINE; without that setting ABINIT, or else any that has been set up. If there is
 * none, what the
 * operator must install.
 */
export async function detectEngine(settings: Run4uSettings, searchPath: string): Promise<Detection> {
  if (settings.engine) return DETECTORS[settings.engine](settings, searchPath);
  const standard = await detectAbinit(settings, searchPath);
  if (standard.engine) return standard;
  for (const detect of [detectVasp, detectTemplate]) {
    const other = await detect(settings, searchPath);
    if (other.engine) return other;
  }
  return standard;
}

// Any command of the operator's that reads request.json and writes result.json (docs/methods/engines.md).

export async function detectTemplate(settings: Run4uSettings, searchPath: string): Promise<Detection> {
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
      energyScale: `PBE (${name.split('/').at(-1)})`,
      // The command has its own data sets and reports itself which elements it supports.
      dataSets: async () => ({ found: {}, missing: [] }),
      prepare: async () => undefined,
      command: () => [program, ...parameters],
    },
  };
}
