/** Worker thread: reactions at interfaces. */
export { reactAtInterface } from './react-at-interface.ts';
