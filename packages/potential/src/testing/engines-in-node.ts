/** The included model and its fast engine, created once for all tests of a process. */
import type { Engine } from '../engine.ts';
import { fastEngine } from '../fast-engine.ts';
import { openModelInNode } from '../open-model-in-node.ts';

export const model = openModelInNode();

let made: Engine | undefined;
/** Created at the first evaluation of a test. */
export const engine: Engine = {
  evaluate(structure) {
    made ??= fastEngine(model);
    return made.evaluate(structure);
  },
};
