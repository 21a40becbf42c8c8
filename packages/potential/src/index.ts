export * from './engine.ts';
export { fastEngine, type Kernel } from './fast-engine.ts';
export { MAX_ATOMS, OVERLAP_SHARE, SHORTEST_DISTANCE } from './graph.ts';
export * from './kernel-shape.ts';
export * from './model-file.ts';
export * from './potential-error.ts';
export * from './read-model.ts';
export { referenceEngine } from './reference-engine.ts';
