import type { Engine } from '@unitcell/potential';
import { type IncludedModel, openEngineInNode } from '@unitcell/potential/node';

const opened = new Map<IncludedModel, { readonly name: string; readonly engine: Engine }>();

/** A built-in potential, made once per process, because its tables grow with use to 40 MB (`sevennet-l3i5`: 70 MB). */
export function builtInPotential(model: IncludedModel = 'sevennet-0'): {
  readonly name: string;
  readonly engine: Engine;
} {
  const known = opened.get(model) ?? openEngineInNode(model);
  opened.set(model, known);
  return known;
}
