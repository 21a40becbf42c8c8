/** What the threads of one match share: a flag to stop it, a count of its work, the best bound so far. */

export interface MatchControl {
  /** 0 until the match is to stop; then 1. */
  readonly flags: Int32Array;
  /** [0]: a distance that is enough for the last place. Any thread's value is valid for all, so races cost time only. */
  readonly bound: Float64Array;
}

const STOP = 0;
const WORK = 1;

export const newControlBuffer = (): SharedArrayBuffer => {
  const buffer = new SharedArrayBuffer(16);
  openControl(buffer).bound[0] = Number.POSITIVE_INFINITY;
  return buffer;
};

export const openControl = (buffer: SharedArrayBuffer): MatchControl => ({
  flags: new Int32Array(buffer, 0, 2),
  bound: new Float64Array(buffer, 8, 1),
});

export const stopMatch = (buffer: SharedArrayBuffer): void =>
  void Atomics.store(openControl(buffer).flags, STOP, 1);

export const isStopped = ({ flags }: MatchControl): boolean => Atomics.load(flags, STOP) === 1;

/** Counts a step of the search and tells whether to stop. */
export function countStep(control: MatchControl): boolean {
  Atomics.add(control.flags, WORK, 1);
  return isStopped(control);
}

/** Steps counted so far. */
export const stepsDone = (buffer: SharedArrayBuffer): number => Atomics.load(openControl(buffer).flags, WORK);
