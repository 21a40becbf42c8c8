/** Any command of the operator's that reads request.json and writes result.json (docs/science/engines.md). */
import { template } from '@unitcell/calculators';
import { findProgram } from '../executors/find-program.ts';
import type { Run4uSettings } from '../run4u-settings.ts';
import type { Detection } from './engine.ts';

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
      // The command brings its own data sets and says itself which elements it has.
      dataSets: async () => ({ found: {}, missing: [] }),
      prepare: async () => undefined,
      command: () => [program, ...parameters],
    },
  };
}
