/** What is typed there is meant for it: fields, and popups that stand in front of the page. */
const FIELDS = 'input, select, textarea, [contenteditable], [role="dialog"]';

/** `/` alone, pressed where it is no text: the way to the search. */
export const isSearchKey = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean =>
  key === '/' &&
  !ctrlKey &&
  !metaKey &&
  !altKey &&
  !(target instanceof Element && target.closest(FIELDS) !== null);
