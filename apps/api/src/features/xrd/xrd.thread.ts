/** Worker thread: measured powder patterns, the index of calculated ones, and the search in it. */
export { refreshIndex } from './index/refresh-index.ts';
export { prepareMatch, prepareRest, reportHits, searchPart } from './match/search-part.ts';
export { receivePattern, splitBackground } from './measured-pattern.ts';
