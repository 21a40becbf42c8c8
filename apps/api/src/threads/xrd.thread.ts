/** Worker thread: measured powder patterns, the index of calculated ones, and the search in it. */
export { packCells } from '../features/xrd/index/pack-cells.ts';
export { refreshIndex } from '../features/xrd/index/refresh-index.ts';
export { prepareMatch, prepareRest, reportHits, searchPart } from '../features/xrd/match/search-part.ts';
export { receivePattern, splitBackground } from '../features/xrd/measured-pattern.ts';
export { referencePattern } from '../features/xrd/reference-pattern.ts';
