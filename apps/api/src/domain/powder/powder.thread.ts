/** Worker thread: calculated powder patterns. */
export { calculatedPattern } from './calculated-pattern.ts';
