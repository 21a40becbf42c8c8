/** Pasting into number boxes. */
import type { ClipboardEvent } from 'react';
import { readNumber } from './format.ts';

/**
 * The tables of the site write numbers with the true minus sign (U+2212), which the component library drops
 * from pasted text: `−1.95` would become 1.95. As `onPasteCapture`, this function inserts such a number with
 * a hyphen.
 */
export function pasteNumber(event: ClipboardEvent<HTMLInputElement>): void {
  const { currentTarget: box } = event;
  const number = event.clipboardData.getData('text').trim();
  if (box.readOnly || !number.startsWith('\u2212') || readNumber(number) === null) return;
  event.preventDefault();
  event.stopPropagation();
  const [from, to] = [box.selectionStart ?? 0, box.selectionEnd ?? box.value.length];
  const text = number.replace(',', '.').replace('\u2212', '-');
  // React ignores a value that is set on the element itself, because it takes it for one that React has set.
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
  set?.call(box, box.value.slice(0, from) + text + box.value.slice(to));
  box.setSelectionRange(from + text.length, from + text.length);
  box.dispatchEvent(new Event('input', { bubbles: true }));
}
