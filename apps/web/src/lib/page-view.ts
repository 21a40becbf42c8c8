/** A page somebody came to, as statistics are told of it. */
export interface PageView {
  /** Without query and fragment. */
  readonly path: string;
  readonly title: string;
}
