/**
 * The YAML that phonopy writes: blocks by indentation, lists of numbers in brackets, plain and quoted words, comments. Anchors, tags
 * and texts over several lines do not occur and are refused. One pass over the lines.
 */
import { refuseFile } from './file-error.ts';

export type Yaml = string | number | null | readonly Yaml[] | { readonly [key: string]: Yaml };

interface Line {
  readonly indent: number;
  readonly text: string;
  readonly number: number;
}

const DEEPEST = 12;

/** @throws PotentialError `phonon-file` */
export function readPlainYaml(file: string, text: string): Yaml {
  const lines: Line[] = [];
  text.split(/\r?\n/).forEach((raw, index) => {
    const bare = withoutComment(raw).trimEnd();
    const content = bare.trimStart();
    if (content !== '' && content !== '---')
      lines.push({ indent: bare.length - content.length, text: content, number: index + 1 });
  });
  let at = 0;
  const refuse = (line: Line | undefined, problem: string): never =>
    refuseFile(file, `${line ? `line ${line.number}` : 'the end'}: ${problem}`);

  function block(indent: number, depth: number): Yaml {
    const first = lines[at];
    if (depth > DEEPEST) refuse(first, `more than ${DEEPEST} levels`);
    if (isItem(first.text)) return list(indent, depth);
    if (keyOf(first.text) !== null) return map(indent, depth);
    at += 1;
    return flow(first, first.text);
  }

  function list(indent: number, depth: number): Yaml {
    const items: Yaml[] = [];
    while (at < lines.length && lines[at].indent === indent && isItem(lines[at].text)) {
      const line = lines[at];
      const rest = line.text.slice(1).trimStart();
      if (rest === '') {
        at += 1;
        items.push(nested(indent, depth));
      } else {
        // The text after the dash is a separate block that starts in this column.
        lines[at] = { ...line, indent: indent + line.text.length - rest.length, text: rest };
        items.push(block(lines[at].indent, depth + 1));
      }
    }
    return items;
  }

  function map(indent: number, depth: number): Yaml {
    const entries = new Map<string, Yaml>();
    while (at < lines.length && lines[at].indent === indent && !isItem(lines[at].text)) {
      const line = lines[at];
      const key = keyOf(line.text);
      if (key === null)
        return refuse(line, `expected "key: value", found ${JSON.stringify(line.text.slice(0, 40))}`);
      const rest = line.text.slice(line.text.indexOf(':', key.end) + 1).trim();
      at += 1;
      entries.set(key.name, rest === '' ? nested(indent, depth, true) : flow(line, rest));
    }
    return Object.fromEntries(entries);
  }

  /** The block below a key or a dash. A list may be indented no further than its key. */
  function nested(indent: number, depth: number, isOfKey = false): Yaml {
    const line = lines[at];
    if (!line) return null;
    if (line.indent > indent) return block(line.indent, depth + 1);
    return isOfKey && line.indent === indent && isItem(line.text) ? list(indent, depth + 1) : null;
  }

  function flow(line: Line, value: string): Yaml {
    if (/^[&*!|>{]/.test(value)) refuse(line, `${JSON.stringify(value.slice(0, 20))} is not understood here`);
    if (!value.startsWith('[')) return scalar(value);
    if (!value.endsWith(']') || value.slice(1).includes('['))
      refuse(
        line,
        `expected a list of values in one pair of brackets, found ${JSON.stringify(value.slice(0, 40))}`,
      );
    const inner = value.slice(1, -1).trim();
    return inner === '' ? [] : inner.split(',').map((word) => scalar(word.trim()));
  }

  if (lines.length === 0) refuseFile(file, 'the file is empty');
  const read = block(lines[0].indent, 0);
  if (at < lines.length)
    refuse(lines[at], `the indentation of ${JSON.stringify(lines[at].text.slice(0, 40))} fits nothing above`);
  return read;
}

const isItem = (text: string): boolean => text === '-' || text.startsWith('- ');

function keyOf(text: string): { readonly name: string; readonly end: number } | null {
  // Blanks before the colon are removed afterwards, because a regular expression that matches them takes
  // quadratic time.
  const found = /^(?:"([^"]*)"\s*|'([^']*)'\s*|([^\s"'[{][^:]*)):(?=\s|$)/.exec(text);
  if (!found) return null;
  const quoted = found[1] ?? found[2];
  if (quoted !== undefined) return { name: quoted, end: quoted.length + 2 };
  const name = found[3].trimEnd();
  return { name, end: name.length };
}

function scalar(word: string): string | number | null {
  const quoted = /^(["'])(.*)\1$/.exec(word);
  if (quoted) return quoted[2];
  if (word === '' || word === '~' || word === 'null') return null;
  return /^[-+]?(?:\d|\.\d)/.test(word) && Number.isFinite(Number(word)) ? Number(word) : word;
}

/** A comment starts at a # outside quotes, at the start of the line or after a space. */
function withoutComment(line: string): string {
  if (!line.includes('#')) return line;
  let quote = '';
  for (let k = 0; k < line.length; k++) {
    const letter = line[k];
    if (quote !== '') quote = letter === quote ? '' : quote;
    else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === '#' && (k === 0 || /\s/.test(line[k - 1]))) return line.slice(0, k);
  }
  return line;
}
