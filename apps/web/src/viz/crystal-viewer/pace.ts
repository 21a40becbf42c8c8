/** How coarsely a turning crystal is drawn: as coarsely as it must be to move smoothly, found from how long frames wait. */

/** Slower than this from asking for a frame to drawing it, and the next are coarser: 30 frames a second. */
const SLOW_FRAME_MS = 34;
/** Without a new frame for so long the crystal rests. */
const REST_MS = 160;

export class Pace {
  /** −1: as fine as at rest; then step by step, up to `coarsest`. */
  level = -1;
  private readonly coarsest: number;
  /** When the frame that is to come was first asked for; null when none is. */
  private asked: number | null = null;

  constructor(coarsest: number) {
    this.coarsest = coarsest;
  }

  /** Somebody moves the crystal at this time, ms. */
  ask(now: number): void {
    this.asked ??= now;
  }

  /**
   * A frame begins. While earlier ones are still being drawn the browser keeps the next one waiting, however long that takes; a
   * pause between two moves is no wait.
   * @returns ms without motion after which the crystal counts as at rest
   */
  begin(now: number): number {
    const waited = this.asked === null ? 0 : now - this.asked;
    this.asked = null;
    if (waited > SLOW_FRAME_MS) this.level = Math.min(this.level + 1, this.coarsest);
    return Math.max(REST_MS, 2 * waited);
  }
}
