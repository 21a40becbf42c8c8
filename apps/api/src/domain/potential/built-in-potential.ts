import { type Engine, fastEngine } from '@unitcell/potential';
import { openModelInNode } from '@unitcell/potential/node';

let opened: { readonly name: string; readonly engine: Engine } | undefined;

/** The built-in potential, made once per process, because its tables grow with use to 40 MB. */
export function builtInPotential(): { readonly name: string; readonly engine: Engine } {
  if (!opened) {
    const model = openModelInNode();
    opened = { name: model.manifest.name, engine: fastEngine(model) };
  }
  return opened;
}
