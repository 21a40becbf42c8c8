/** A cell that starts like this would be run as a formula by a spreadsheet; plain numbers may. */
const FORMULA_START = /^[=+\-@\t\r]/;

/** A value as a cell of a CSV file. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = Array.isArray(value)
    ? value.join(' ')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
  const safe = typeof value === 'string' && FORMULA_START.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
