/**
 * Crystal structures from POSCAR and CONTCAR text (VASP 4 and 5).
 *
 * Lines: comment; one or three scale factors (one negative number: the volume of the cell in Å³); three
 * lattice vectors; element names (VASP 5); counts; optional "Selective dynamics"; "Direct" or "Cartesian";
 * positions. Names and counts may continue over several lines. Anything after the positions (velocities) is
 * not read.
 */
import { isElementSymbol } from '@unitcell/elements';
import { determinant3, inverse3, type Mat3, norm3, rowTimesMatrix3, type Vec3 } from '@unitcell/numerics';
import { CrystalError, type CrystalRefusal } from '../error.ts';
import type { Site } from '../structure.ts';
import { MAX_CELL_LENGTH, MAX_COORDINATE, MAX_READ_SITES } from './limits.ts';
import type { ReadNotice, ReadStructure } from './read-structure.ts';
import { parseFileNumber, plainText, shown } from './text.ts';

/**
 * Three vectors are coplanar if the volume is less than this times the product of the edges. Real cells are above 1e-3.
 */
export const MIN_RELATIVE_VOLUME = 1e-6;

/** Most lines that the names or the counts may span. */
const MAX_HEADER_LINES = 50;

interface Word {
  readonly text: string;
  readonly column: number;
}

const isBlank = (character: string): boolean =>
  character === ' ' || character === '\t' || character === '\f' || character === '\v';

/** The words of a line with their columns; `!` and `#` start a comment. */
function wordsOf(line: string): readonly Word[] {
  const words: Word[] = [];
  let at = 0;
  while (at < line.length) {
    if (isBlank(line[at])) {
      at++;
      continue;
    }
    if (line[at] === '!' || line[at] === '#') break;
    const start = at;
    while (at < line.length && !isBlank(line[at])) at++;
    words.push({ text: line.slice(start, at), column: start + 1 });
  }
  return words;
}

const isWholeNumber = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) if (text[at] < '0' || text[at] > '9') return false;
  return text !== '';
};

/** Sequential access to the lines of the text. */
interface Lines {
  /** Number of the line read last, from 1. */
  number: number;
  next(expected: string): readonly Word[];
  peek(): readonly Word[];
}

function linesOf(text: string): Lines {
  const lines = text.split('\n');
  return {
    number: 0,
    peek() {
      return wordsOf(lines[this.number] ?? '');
    },
    next(expected) {
      if (this.number >= lines.length)
        throw new CrystalError('poscar', `the file ends here; expected ${expected}`, {
          line: lines.length,
          column: 1,
          why: { reason: 'file-ends' },
        });
      this.number++;
      return wordsOf(lines[this.number - 1]);
    },
  };
}

function refuse(lines: Lines, word: Word | undefined, message: string, why: CrystalRefusal): never {
  throw new CrystalError('poscar', message, { line: lines.number, column: word?.column ?? 1, why });
}

/** The first `count` words of a line as numbers. */
function numbersOf(lines: Lines, words: readonly Word[], count: number, what: string): number[] {
  if (words.length < count)
    refuse(lines, words.at(-1), `${what}: the line has ${words.length} words; expected ${count} numbers`, {
      reason: 'poscar-missing-numbers',
      found: words.length,
      expected: count,
    });
  return words.slice(0, count).map((word) => {
    const value = parseFileNumber(word.text);
    if (value === undefined)
      refuse(lines, word, `${what}: "${shown(word.text)}" is no number`, {
        reason: 'poscar-no-number',
        found: shown(word.text),
      });
    return value;
  });
}

function readScale(lines: Lines): Vec3 | { readonly volume: number } {
  const words = lines.next('the scale factor');
  const leading = words.findIndex((word) => parseFileNumber(word.text) === undefined);
  const count = leading === -1 ? words.length : leading;
  if (count !== 1 && count !== 3)
    refuse(
      lines,
      words[0],
      `the scale line has ${count} numbers; expected one scale factor, one negative volume or three factors`,
      { reason: 'poscar-scale-count', found: count },
    );
  const factors = numbersOf(lines, words, count, 'scale factor');
  if (factors.includes(0))
    refuse(lines, words[0], 'a scale factor is 0; expected a positive number, or minus the volume', {
      reason: 'poscar-scale-zero',
    });
  if (count === 1) {
    const [factor] = factors;
    return factor < 0 ? { volume: -factor } : [factor, factor, factor];
  }
  if (factors.some((factor) => factor < 0))
    refuse(lines, words[0], 'one of three scale factors is negative; expected positive ones', {
      reason: 'poscar-scale-negative',
    });
  return factors as unknown as Vec3;
}

interface Cell {
  readonly latticeVectors: Mat3;
  /** Factors of the x, y and z components, for Cartesian positions. */
  readonly scale: Vec3;
}

function readCell(lines: Lines): Cell {
  const scale = readScale(lines);
  const rows = ['first', 'second', 'third'].map((name) => {
    const what = `${name} lattice vector`;
    return numbersOf(lines, lines.next(what), 3, what) as unknown as Vec3;
  }) as unknown as Mat3;
  const volume = Math.abs(determinant3(rows));
  const [a, b, c] = rows.map(norm3);
  if (!(volume > MIN_RELATIVE_VOLUME * a * b * c))
    refuse(lines, undefined, 'the three lattice vectors lie in a plane: the cell has no volume', {
      reason: 'flat-cell',
    });
  const uniform = 'volume' in scale ? Math.cbrt(scale.volume / volume) : 1;
  const factors: Vec3 = 'volume' in scale ? [uniform, uniform, uniform] : scale;
  const latticeVectors = rows.map((row) =>
    row.map((value, axis) => value * factors[axis]),
  ) as unknown as Mat3;
  const longest = Math.max(...latticeVectors.map(norm3));
  if (!(longest <= MAX_CELL_LENGTH) || !(Math.abs(determinant3(latticeVectors)) > 0))
    refuse(
      lines,
      undefined,
      `the longest lattice vector has ${longest} Å; expected at most ${MAX_CELL_LENGTH} Å`,
      { reason: 'cell-too-long', found: longest, limit: MAX_CELL_LENGTH },
    );
  return { latticeVectors, scale: factors };
}

/** The element of a POTCAR name: `Cs_sv`, `Li_pv`, `O/a1b2c3`, `Fe`; deuterium is hydrogen. */
function elementOfPotential(name: string): string | undefined {
  let end = 0;
  while (end < name.length && name[end] !== '_' && name[end] !== '/') end++;
  const symbol = name.slice(0, end);
  if (symbol === 'D') return 'H';
  return isElementSymbol(symbol) ? symbol : undefined;
}

interface Header {
  /** Empty for VASP 4, which has no line of names. */
  readonly names: readonly string[];
  readonly counts: readonly number[];
}

function readHeader(lines: Lines): Header {
  const names: string[] = [];
  const counts: number[] = [];
  let total = 0;
  const readLine = (expected: string): readonly Word[] => lines.next(expected);
  const headerEnd = lines.number + MAX_HEADER_LINES;
  let words = readLine('element names or counts');
  while (words.length > 0 && !isWholeNumber(words[0].text)) {
    for (const word of words) {
      const element = elementOfPotential(word.text);
      if (element === undefined)
        refuse(lines, word, `"${shown(word.text)}" is no element; expected symbols such as Fe or Fe_pv`, {
          reason: 'poscar-unknown-element',
          found: shown(word.text),
        });
      names.push(element);
    }
    if (lines.number >= headerEnd)
      refuse(lines, words[0], 'the list of elements does not end', { reason: 'poscar-endless-elements' });
    words = readLine('counts of atoms');
  }
  if (words.length === 0)
    refuse(lines, undefined, 'an empty line; expected the counts of atoms', { reason: 'poscar-no-counts' });
  for (;;) {
    for (const word of words) {
      if (!isWholeNumber(word.text))
        refuse(lines, word, `"${shown(word.text)}" is no count of atoms; expected a whole number`, {
          reason: 'poscar-bad-count',
          found: shown(word.text),
        });
      const count = Number(word.text);
      total += count;
      if (total > MAX_READ_SITES)
        throw new CrystalError(
          'too-large',
          `${shown(word.text)} atoms: at most ${MAX_READ_SITES} sites are read`,
          {
            line: lines.number,
            column: word.column,
            why: { reason: 'too-many-sites', limit: MAX_READ_SITES },
          },
        );
      counts.push(count);
    }
    const next = lines.peek();
    if (names.length <= counts.length || next.length === 0 || !isWholeNumber(next[0].text)) break;
    words = readLine('counts of atoms');
  }
  if (names.length > 0 && names.length !== counts.length)
    refuse(
      lines,
      words[0],
      `${names.length} elements but ${counts.length} counts; expected one count for each element`,
      { reason: 'poscar-counts-differ', elements: names.length, counts: counts.length },
    );
  if (total === 0) refuse(lines, words[0], 'all counts are 0; expected atoms', { reason: 'poscar-no-atoms' });
  return { names, counts };
}

/** Reads the line of the mode, after "Selective dynamics" if present; true for Cartesian coordinates. */
function readMode(lines: Lines): boolean {
  const expected = '"Direct" or "Cartesian"';
  let words = lines.next(expected);
  if (words[0]?.text[0]?.toLowerCase() === 's') words = lines.next(expected);
  const letter = words[0]?.text[0]?.toLowerCase() ?? '';
  if (!'dckf'.includes(letter) || letter === '')
    refuse(lines, words[0], `"${shown(words[0]?.text ?? '')}" was found; expected ${expected}`, {
      reason: 'poscar-mode',
      found: shown(words[0]?.text ?? ''),
    });
  return letter === 'c' || letter === 'k';
}

/** Elements written after the positions or in the comment line, for VASP 4 files without a line of names. */
function namesWithoutLine(
  lines: Lines,
  comment: string,
  counts: readonly number[],
  trailing: readonly (string | undefined)[],
): string[] {
  if (trailing.every((name) => name !== undefined)) return trailing as string[];
  const titled = wordsOf(comment).map((word) => elementOfPotential(word.text));
  if (titled.length === counts.length && titled.every((name) => name !== undefined))
    return counts.flatMap((count, kind) => Array.from({ length: count }, () => titled[kind]));
  throw new CrystalError(
    'poscar',
    'the file does not name its elements (VASP 4); add a line of symbols above the counts',
    {
      line: lines.number - trailing.length - 1,
      column: 1,
      why: { reason: 'poscar-unnamed-elements' },
    },
  );
}

/**
 * The structure of a POSCAR. Fractional coordinates are kept as written (not wrapped), in the order of the file.
 * @throws CrystalError `poscar` with line and column, or `too-large`
 */
export function readPoscar(text: string): ReadStructure {
  const plain = plainText(text);
  if (plain.trim() === '')
    throw new CrystalError('poscar', 'the file is empty; expected a POSCAR', {
      why: { reason: 'empty-file' },
    });
  const lines = linesOf(plain);
  lines.next('the comment line');
  const comment = plain.slice(0, plain.includes('\n') ? plain.indexOf('\n') : undefined).trim();
  const { latticeVectors, scale } = readCell(lines);
  const { names, counts } = readHeader(lines);
  const isCartesian = readMode(lines);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const toFractional = inverse3(latticeVectors);
  const positions: Vec3[] = [];
  const trailing: (string | undefined)[] = [];
  for (let atom = 1; atom <= total; atom++) {
    const what = `position ${atom} of ${total}`;
    const words = lines.next(what);
    const [x, y, z] = numbersOf(lines, words, 3, what);
    const position: Vec3 = isCartesian
      ? rowTimesMatrix3([x * scale[0], y * scale[1], z * scale[2]], toFractional)
      : [x, y, z];
    if (!position.every((value) => Math.abs(value) <= MAX_COORDINATE))
      refuse(
        lines,
        words[0],
        `${what} lies more than ${MAX_COORDINATE} cells away; expected coordinates near the cell`,
        { reason: 'position-too-far', limit: MAX_COORDINATE },
      );
    positions.push(position);
    trailing.push(
      words
        .slice(3)
        .map((word) => elementOfPotential(word.text))
        .find((name, index) => name !== undefined && !'TF'.includes(words[3 + index].text)),
    );
  }
  const elements =
    names.length > 0
      ? counts.flatMap((count, kind) => Array.from({ length: count }, () => names[kind]))
      : namesWithoutLine(lines, comment, counts, trailing);
  const sites: Site[] = positions.map((fractionalCoords, index) => ({
    species: [{ element: elements[index], occupancy: 1 }],
    fractionalCoords,
  }));
  const conflicts = trailing.some((name, index) => name !== undefined && name !== elements[index]);
  const notices: readonly ReadNotice[] = conflicts
    ? [
        {
          code: 'poscar-names-differ',
          message: 'the names behind the positions differ from the line of elements, which was used',
          parameters: {},
        },
      ]
    : [];
  return { name: comment, structure: { latticeVectors, sites }, notices };
}
