/** Hands a text to the browser as a file. */
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
