/** The matrix of reaction energies: its values, its colours, and the figure for a paper. */
import type { CoatingMatrix } from '@unitcell/contract/coatings';
import { formulaText } from '../../components/formula.tsx';
import { formatNumber } from '../../lib/format.ts';

export type MatrixCell = CoatingMatrix['cells'][number];

export interface MatrixTable {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** Row by row; null on the diagonal. */
  readonly cells: readonly (readonly (MatrixCell | null)[])[];
}

/** The table of the matrix: a square with both halves for all pairs, a single column for one material against many. */
export function matrixTable({ materials, against, cells }: CoatingMatrix): MatrixTable {
  const rows = materials.map(({ formula }) => formula);
  if (against !== null) return { rows, columns: [against.formula], cells: cells.map((cell) => [cell]) };
  const byPair = new Map(cells.map((cell) => [`${cell.row} ${cell.column}`, cell]));
  return {
    rows,
    columns: rows,
    cells: rows.map((_, row) =>
      rows.map((__, column) => byPair.get(`${Math.min(row, column)} ${Math.max(row, column)}`) ?? null),
    ),
  };
}

/** Reaction energy in eV/atom from which on the colour is strongest. */
const FULL_COLOUR = 0.5;

/** Colour strength: 0 without a reaction, 1 at most. The square root keeps weak reactions distinguishable. */
export const heatOf = (energy: number): number => Math.sqrt(Math.min(1, Math.abs(energy) / FULL_COLOUR));

/** The matrix as a CSV table of energies, and the list of pairs. */
export const matrixRows = ({ rows, cells }: MatrixTable): (string | number)[][] =>
  rows.map((formula, row) => [formula, ...(cells[row] ?? []).map((cell) => cell?.energy ?? '')]);

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export interface MatrixFigure {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

const CELL = 44;
const LETTER = 7;

/** A figure on white: labels, coloured cells with their values in eV/atom, and a note below. */
export function matrixFigure(table: MatrixTable, title: string, note: string): MatrixFigure {
  const longest = Math.max(...[...table.rows, ...table.columns].map(({ length }) => length));
  const margin = longest * LETTER + 16;
  const [left, top] = [margin, margin + 30];
  const width = Math.max(left + table.columns.length * CELL + 12, 420);
  const height = top + table.rows.length * CELL + 34;
  const text = (x: number, y: number, content: string, more = ''): string =>
    `<text x="${x}" y="${y}" ${more}>${escaped(content)}</text>`;
  const parts = [
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text(12, 20, title, 'font-weight="600"'),
    ...table.rows.map((formula, row) =>
      text(left - 8, top + row * CELL + CELL / 2 + 4, formulaText(formula), 'text-anchor="end"'),
    ),
    ...table.columns.map((formula, column) => {
      const x = left + column * CELL + CELL / 2 + 4;
      return text(x, top - 8, formulaText(formula), `transform="rotate(-90 ${x} ${top - 8})"`);
    }),
    ...table.cells.flatMap((row, r) =>
      row.map((cell, c) => {
        const [x, y] = [left + c * CELL, top + r * CELL];
        const heat = cell === null ? 0 : heatOf(cell.energy);
        const channel = (full: number): number => Math.round(255 + (full - 255) * heat * 0.8);
        const fill = cell === null ? '#eeeeee' : `rgb(${channel(176)},${channel(58)},${channel(36)})`;
        const value =
          cell === null
            ? ''
            : text(
                x + CELL / 2,
                y + CELL / 2 + 4,
                formatNumber(cell.energy, { decimals: 2 }),
                `text-anchor="middle" font-size="11" fill="${heat > 0.75 ? '#ffffff' : '#111111'}"`,
              );
        return `<rect x="${x}" y="${y}" width="${CELL}" height="${CELL}" fill="${fill}" stroke="#ffffff"/>${value}`;
      }),
    ),
    text(12, height - 10, note, 'font-size="10" fill="#555555"'),
  ];
  return {
    width,
    height,
    svg: `<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#111111">${parts.join('')}</svg>\n`,
  };
}
