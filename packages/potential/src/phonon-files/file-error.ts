import { PotentialError } from '../potential-error.ts';

/** @throws PotentialError `phonon-file` with what was found and what was expected */
export function refuseFile(file: string, problem: string): never {
  throw new PotentialError('phonon-file', `${file}: ${problem}`, { file, problem });
}

/**
 * Maximum number of atoms of a supercell, and of a cell whose phonons are read: larger files would occupy a
 * worker for minutes.
 */
export const MOST_ATOMS = { supercell: 1200, cell: 100 } as const;

/**
 * @throws PotentialError `phonon-file` when a grid with this many cells has more force constants than the limit
 */
export function assertGridSize(file: string, atoms: number, cells: number): void {
  if (atoms * atoms * cells > MOST_ATOMS.supercell * MOST_ATOMS.cell)
    refuseFile(
      file,
      `${atoms} atoms on a grid of ${cells} cells: at most ${Math.floor((MOST_ATOMS.supercell * MOST_ATOMS.cell) / atoms ** 2)} cells are read`,
    );
}

/** @throws PotentialError `phonon-file` unless the text is a finite number */
export function toNumber(text: string | undefined, file: string, where: string): number {
  // Fortran writes exponents with D.
  const value = text === undefined || text === '' ? Number.NaN : Number(text.replace(/[dD]/, 'e'));
  if (!Number.isFinite(value))
    refuseFile(file, `${where}: expected a number, found ${JSON.stringify(text ?? '').slice(0, 40)}`);
  return value;
}

export const wordsOf = (line: string | undefined): string[] =>
  (line ?? '').trim().split(/\s+/).filter(Boolean);

/** Reads a text line by line. */
export class Lines {
  readonly file: string;
  private readonly lines: readonly string[];
  private at = 0;

  constructor(file: string, text: string) {
    this.file = file;
    this.lines = text.split(/\r?\n/);
  }

  /** The next line that is not empty; undefined at the end. */
  next(): string | undefined {
    while (this.at < this.lines.length) {
      const line = this.lines[this.at++];
      if (line.trim() !== '') return line;
    }
    return undefined;
  }

  /**
   * Reads the given count of numbers from the next line.
   * @throws PotentialError `phonon-file`
   */
  numbers(count: number, what: string): number[] {
    const words = wordsOf(this.next());
    if (words.length < count)
      this.refuse(
        `${what}: expected ${count} numbers, found ${words.length === 0 ? 'the end of the file' : JSON.stringify(words.join(' ')).slice(0, 60)}`,
      );
    return words.slice(0, count).map((word) => toNumber(word, this.file, this.place(what)));
  }

  vector(what: string): [number, number, number] {
    const [x, y, z] = this.numbers(3, what);
    return [x, y, z];
  }

  /** A whole number between limits. */
  count(text: string | undefined, what: string, most: number): number {
    const value = toNumber(text, this.file, this.place(what));
    if (!Number.isInteger(value) || value < 1 || value > most)
      this.refuse(`${what} is ${value}: expected a whole number from 1 to ${most}`);
    return value;
  }

  refuse(problem: string): never {
    return refuseFile(this.file, `line ${this.at}: ${problem}`);
  }

  private place(what: string): string {
    return `line ${this.at}, ${what}`;
  }
}
