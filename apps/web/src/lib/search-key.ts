/** Typing there must not be intercepted: fields, and popups in front of the page. */
const FIELDS = 'input, select, textarea, [contenteditable], [role="dialog"]';

/** A key without modifiers, pressed outside of text fields. */
export const isPageKey = (
  { key, ctrlKey, metaKey, altKey, target }: KeyboardEvent,
  wanted: string,
): boolean =>
  key === wanted &&
  !ctrlKey &&
  !metaKey &&
  !altKey &&
  !(target instanceof Element && target.closest(FIELDS) !== null);

/** Moves the focus to the search box. */
export const isSearchKey = (event: KeyboardEvent): boolean => isPageKey(event, '/');
