export * from './compound-class.ts';
export * from './crystal-graph.ts';
export * from './domain.ts';
export { forward } from './forward.ts';
export * from './model-file.ts';
export * from './predict.ts';
export * from './prediction-error.ts';
export * from './read-model.ts';
