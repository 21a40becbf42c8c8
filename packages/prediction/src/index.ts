export * from './model-file.ts';
export * from './crystal-graph.ts';
export * from './values.ts';
export * from './predict.ts';
export * from './prediction-error.ts';
export * from './read-model.ts';
