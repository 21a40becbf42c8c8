/** Reads long texts of numbers sequentially, by line and by word, without copying them. */
import { CrystalError, type CrystalRefusal } from '../error.ts';
import { parseFileNumber, shown } from './text.ts';

const LINE_FEED = 10;
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

/** A Fortran exponent of three digits drops its letter: `0.123-100`. */
const WITHOUT_LETTER = /^([+-]?[\d.]+)([+-]\d{3})$/;

/** A number that a Float32Array can hold, or undefined. */
export function numberOf(word: string): number | undefined {
  const value = parseFileNumber(word) ?? parseFileNumber(word.replace(WITHOUT_LETTER, '$1e$2'));
  return value !== undefined && Number.isFinite(Math.fround(value)) ? value : undefined;
}

export class NumberReader {
  private at = 0;
  /** Number of the last line or word read, from 1. */
  line = 0;
  private isInLine = false;

  constructor(readonly text: string) {}

  refuse(message: string, why: CrystalRefusal): never {
    throw new CrystalError('volume', message, { line: Math.max(this.line, 1), why });
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** The next line, trimmed; if a word was read last, the rest of that line. */
  nextLine(expected: string): string {
    if (this.isAtEnd) this.refuse(`the file ends here; expected ${expected}`, { reason: 'file-ends' });
    if (!this.isInLine) this.line++;
    this.isInLine = false;
    const feed = this.text.indexOf('\n', this.at);
    const end = feed < 0 ? this.text.length : feed;
    const line = this.text.slice(this.at, end).trim();
    this.at = end + 1;
    return line;
  }

  /** The next word, across line ends; undefined at the end of the text. */
  private nextWord(): string | undefined {
    const { text } = this;
    if (!this.isInLine) this.line++;
    this.isInLine = true;
    for (; this.at < text.length; this.at++) {
      const code = text.charCodeAt(this.at);
      if (!isSpace(code)) break;
      if (code === LINE_FEED) this.line++;
    }
    const start = this.at;
    while (this.at < text.length && !isSpace(text.charCodeAt(this.at))) this.at++;
    return this.at > start ? text.slice(start, this.at) : undefined;
  }

  /** The next number, across line ends. */
  nextNumber(place: number, count: number): number {
    const word = this.nextWord();
    if (word === undefined)
      this.refuse(`the file ends after ${place} of ${count} values; copy the whole file`, {
        reason: 'volume-values-missing',
        found: place,
        expected: count,
      });
    return (
      numberOf(word) ??
      this.refuse(`"${shown(word)}" is no number; expected value ${place + 1} of ${count}`, {
        reason: 'volume-no-number',
        found: shown(word),
      })
    );
  }
}

/** The first `count` words of a line as numbers. */
export function numbersIn(reader: NumberReader, line: string, count: number, what: string): number[] {
  const words = line.split(/\s+/, count + 1);
  return Array.from({ length: count }, (_, place) => {
    const word = words[place] ?? '';
    return (
      numberOf(word) ??
      reader.refuse(`"${shown(word)}" is no number; expected ${count} numbers: ${what}`, {
        reason: 'volume-no-number',
        found: shown(word),
      })
    );
  });
}
