/** Worker thread: the catalogue read into columns, and screenings answered from them. */
export { readIndex } from './index/read-index.ts';
export { runElements } from './query/run-elements.ts';
export { pointsJson } from './query/run-points.ts';
export { runScreen } from './query/run-screen.ts';
