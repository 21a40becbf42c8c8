/** A page view, as reported to the statistics. */
export interface PageView {
  /** Without query and fragment. */
  readonly path: string;
  readonly title: string;
}
