/** What is typed there is meant for it: fields, and popups that stand in front of the page. */
const FIELDS = 'input, select, textarea, [contenteditable], [role="dialog"]';

/** A key alone, pressed where it is no text. */
export const isPageKey = (
  { key, ctrlKey, metaKey, altKey, target }: KeyboardEvent,
  wanted: string,
): boolean =>
  key === wanted &&
  !ctrlKey &&
  !metaKey &&
  !altKey &&
  !(target instanceof Element && target.closest(FIELDS) !== null);

/** The way to the search. */
export const isSearchKey = (event: KeyboardEvent): boolean => isPageKey(event, '/');
