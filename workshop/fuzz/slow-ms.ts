/** CPU milliseconds from which an input is slow: the first time and again. */
export const SLOW_MS = 500;
