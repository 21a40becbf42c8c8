/** Reading of RFC 4180 comma-separated text: quoted fields, doubled quotes, comment lines starting with `#`. */

/** One record as column name → text; empty fields are empty strings. */
export type CsvRecord = Readonly<Record<string, string>>;

/** Splits one line into its fields. Line breaks inside fields are not used by our tables and are refused. */
function fieldsOf(line: string, lineNumber: number): string[] {
  const fields: string[] = [];
  let position = 0;
  while (position <= line.length) {
    if (line[position] === '"') {
      const match = /^"((?:[^"]|"")*)"(?=,|$)/.exec(line.slice(position));
      if (match === null) throw new Error(`line ${lineNumber}: a quoted field is not closed.`);
      fields.push(match[1].replaceAll('""', '"'));
      position += match[0].length + 1;
    } else {
      const comma = line.indexOf(',', position);
      const end = comma === -1 ? line.length : comma;
      fields.push(line.slice(position, end).trim());
      position = end + 1;
    }
  }
  return fields;
}

/**
 * Records of a table whose first line that is no comment names the columns.
 * @throws Error naming the line, when a record has too few or too many fields.
 */
export function parseCsv(text: string): readonly CsvRecord[] {
  let header: readonly string[] | undefined;
  const records: CsvRecord[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const fields = fieldsOf(line, index + 1);
    if (header === undefined) {
      header = fields;
      continue;
    }
    if (fields.length !== header.length)
      throw new Error(
        `line ${index + 1}: ${fields.length} fields, but the table has ${header.length} columns.`,
      );
    records.push(Object.fromEntries(header.map((name, column) => [name, fields[column]])));
  }
  return records;
}
