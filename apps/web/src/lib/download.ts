/** Tables as CSV files that spreadsheets open without executing anything. */

export type CsvValue = string | number | boolean | null | undefined;

/** A spreadsheet would run a cell that starts like this as a formula. */
const FORMULA_START = /^[=+\-@\t\r]/;

/** Plain numbers may start with a sign; only text is escaped. */
function csvCell(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  // 15 digits hide rounding errors: 100 × 0.00401 is 0.40099999999999997.
  if (typeof value === 'number') return String(Number(value.toPrecision(15)));
  if (typeof value === 'boolean') return String(value);
  const safe = FORMULA_START.test(value) && !Number.isFinite(Number(value)) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** `remarks` become lines that begin with `#` before the header; statistics programs read these as comments. */
export const toCsv = (
  header: readonly string[],
  rows: readonly (readonly CsvValue[])[],
  remarks: readonly string[] = [],
): string =>
  [
    ...remarks.map((remark) => `# ${remark}`),
    ...[header, ...rows].map((row) => row.map(csvCell).join(',')),
  ].join('\r\n');

export function downloadText(fileName: string, text: string, type = 'text/plain'): void {
  // The byte order mark makes spreadsheets read CSV as UTF-8.
  const content = type === 'text/csv' ? ['\ufeff', text] : [text];
  downloadBlob(fileName, new Blob(content, { type: `${type};charset=utf-8` }));
}

export function downloadBlob(fileName: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
