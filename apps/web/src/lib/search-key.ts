/** Fields, and popups in front of the page: typing in them must not be intercepted. */
const FIELDS = 'input, select, textarea, [contenteditable], [role="dialog"]';

/** True for a key without modifiers that is pressed outside of text fields. */
export const isPageKey = (
  { key, ctrlKey, metaKey, altKey, target }: KeyboardEvent,
  wanted: string,
): boolean =>
  key === wanted &&
  !ctrlKey &&
  !metaKey &&
  !altKey &&
  !(target instanceof Element && target.closest(FIELDS) !== null);

/** True for the key that moves the focus to the search box. */
export const isSearchKey = (event: KeyboardEvent): boolean => isPageKey(event, '/');
