/** Numbers of a page that cannot be asked where they come from. */

/** A figure, alone or with its unit: `−3.48`, `≥ 0.037 eV/atom`, `0.55 to 1.2`. Formulas, symbols and dates are none. */
const FIGURE =
  /^[≥≤]? ?[−+-]?\d+(?:\.\d+)?(?: (?:to|–) [−-]?\d+(?:\.\d+)?)?(?: ?(?:%|[a-zA-ZÅµμ°][a-zA-ZÅ³²/°]*))?$/u;

const isAsked = (cell: Element): boolean => cell.querySelector('button[aria-expanded]') !== null;

/** What is told of a source is no number of its own, and rows are counted by a column `#`. */
function isOfNothing(cell: Element): boolean {
  const place = [...(cell.parentElement?.children ?? [])].indexOf(cell);
  const heading = cell.closest('table')?.querySelector('thead tr')?.children[place]?.textContent;
  return cell.closest('details dl') !== null || heading?.trim() === '#';
}

/** Cells of tables and lists of facts that show a figure without a button behind which it is told, each with its row. */
export const unsourcedNumbers = (page: ParentNode): string[] =>
  [...page.querySelectorAll('td, dd')]
    .filter((cell) => FIGURE.test((cell.textContent ?? '').trim()) && !isAsked(cell) && !isOfNothing(cell))
    .map((cell) => `${cell.closest('tr')?.querySelector('th')?.textContent ?? ''}: ${cell.textContent}`);
