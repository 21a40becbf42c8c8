/** Worker thread: measured powder patterns and the search for the materials they are of. */
export { receivePattern, splitBackground } from '../features/xrd/measured-pattern.ts';
