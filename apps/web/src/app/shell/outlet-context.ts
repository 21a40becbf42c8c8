/** Data that the shell passes to pages: the list of pages imports the pages, so they cannot import it. */

interface Bilingual {
  readonly en: string;
  readonly zh: string;
}

export interface ShellContext {
  /** Pages of the Apps menu. */
  readonly tools: readonly {
    readonly path: string;
    readonly title: Bilingual;
    readonly hint?: Bilingual;
  }[];
}
