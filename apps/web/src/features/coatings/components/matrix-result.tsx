/**
 * The coloured matrix. Every value is a link. Arrow keys move between values, and the reaction of the focused value is
 * shown below.
 */
import type { CoatingMatrix } from '@unitcell/contract/coatings';
import { type CSSProperties, type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { AnswerTools } from '../../../components/copy-as-code/copy-as-code.tsx';
import { type DataColumn, formulaColumn, numberColumn } from '../../../components/data-table/columns.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { useProvenance } from '../../../components/energy-scale/energy-scale.tsx';
import { useDownload } from '../../../components/file-origin.tsx';
import { Formula, formulaText } from '../../../components/formula.tsx';
import { NumberText } from '../../../components/number-text.tsx';
import page from '../../../components/panel.module.css';
import { ReactionEquation } from '../../../components/reaction-equation.tsx';
import { ScrollFrame } from '../../../components/scroll-frame.tsx';
import { ToolbarButtons } from '../../../components/toolbar-buttons.tsx';
import { joined, type Translate, useTexts } from '../../../i18n/texts.ts';
import type { SentRequest } from '../../../lib/api-client.ts';
import { toCsv } from '../../../lib/download.ts';
import { svgPicture } from '../../../lib/drawing-file.ts';
import { escapeXml } from '../../../lib/file-origin.ts';
import { formatCount, formatNumber } from '../../../lib/format.ts';
import { interfacePath } from '../coatings-address.ts';
import { coatingTexts } from '../texts.ts';
import { markOf } from './coating-results.tsx';
import classes from './coatings.module.css';

interface MatrixResultProps {
  readonly result: CoatingMatrix;
  readonly scale: string | null;
  readonly sent: SentRequest;
}

interface Pair extends MatrixCell {
  readonly a: string;
  readonly b: string;
}

export const pairColumns = (t: Translate<(typeof coatingTexts)['en']>): readonly DataColumn<Pair>[] => [
  formulaColumn('a', t('pairA'), (row) => row.a),
  formulaColumn('b', t('pairB'), (row) => row.b),
  numberColumn('energy', t('energy'), (row) => row.energy, {
    method: 'reaction',
    render: (row) => (
      <>
        {markOf(row)}
        <NumberText value={row.energy} />
      </>
    ),
  }),
  {
    id: 'equation',
    header: t('equation'),
    value: (row) => row.equation || t('none'),
    render: (row) =>
      row.equation === '' ? (
        t('none')
      ) : (
        <span className={classes.equation}>
          <ReactionEquation text={row.equation} />
        </span>
      ),
    isWrapped: true,
  },
  // For the CSV file, whose energies have no mark.
  { id: 'missing', header: t('missing'), value: (row) => row.missing, isHiddenByDefault: true },
];

const heat = ({ energy }: MatrixCell) =>
  ({ '--heat': `${Math.round(heatOf(energy) * 55)}%` }) as CSSProperties;

/** Pixels of the PNG per unit of the figure. */
const PNG_SCALE = 3;

const MOVES: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

export function MatrixResult({ result, scale, sent }: MatrixResultProps) {
  const { t } = useTexts(coatingTexts);
  const [isTable, setTable] = useState(false);
  const [current, setCurrent] = useState<readonly [number, number] | null>(null);
  const body = useRef<HTMLTableElement>(null);
  // A touch screen has no hover: the first tap on a value shows the reaction, the second opens the pair.
  const isFirstTap = useRef(false);
  const table = useMemo(() => matrixTable(result), [result]);
  const download = useDownload();
  const provenance = useProvenance()({ functional: result.functional, release: result.release });
  const pairs = useMemo(
    (): readonly Pair[] =>
      result.cells.map((cell) => ({
        ...cell,
        a: table.rows[cell.row] ?? '',
        b: table.columns[cell.column] ?? '',
      })),
    [result, table],
  );
  const name = 'unitcell-reaction-matrix';
  const firstCell: readonly [number, number] = result.against === null ? [0, 1] : [0, 0];
  const [tabRow, tabColumn] = current ?? firstCell;
  const shown = current === null ? null : (table.cells[current[0]]?.[current[1]] ?? null);

  const move = (event: KeyboardEvent<HTMLTableElement>): void => {
    const step = MOVES[event.key];
    if (step === undefined) return;
    event.preventDefault();
    let [row, column] = [tabRow + step[0], tabColumn + step[1]];
    // The diagonal is empty.
    if (result.against === null && row === column) [row, column] = [row + step[0], column + step[1]];
    body.current?.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`)?.focus();
  };
  const remarks = markOf(...result.cells) === '' ? [provenance] : [provenance, t('marked')];
  const figure = () => matrixFigure(table, t('matrixLabel'), remarks);
  return (
    <div className={page.toolResult}>
      <div className={`uc-row ${classes.tools}`}>
        <ToolbarButtons
          label={t('view')}
          buttons={[
            { id: 'matrix', label: t('asMatrix'), isOn: !isTable, onClick: () => setTable(false) },
            { id: 'table', label: t('asTable'), isOn: isTable, onClick: () => setTable(true) },
          ]}
        />
        <ToolbarButtons
          label={t('figure')}
          buttons={[
            {
              id: 'csv',
              label: 'CSV',
              onClick: () =>
                download.csv(`${name}.csv`, toCsv(['eV/atom', ...table.columns], matrixRows(table), remarks)),
            },
            { id: 'svg', label: 'SVG', onClick: () => download.svg(`${name}.svg`, figure().svg) },
            {
              id: 'png',
              label: 'PNG',
              onClick: () => {
                const { svg, ...size } = figure();
                void svgPicture(svg, size, PNG_SCALE).then((picture) => download.png(`${name}.png`, picture));
              },
            },
          ]}
        />
        <AnswerTools sent={sent} answer={result} name={name} />
      </div>
      <p className="uc-hint">
        {joined(
          t('matrixCaption', { count: pairs.length, n: formatCount(pairs.length) }),
          t('basis', { scale: provenance }),
        )}
      </p>
      {result.potential !== null && (
        <p className="uc-note">
          {t('openNote', {
            ion: result.working_ion,
            potential: formatNumber(result.potential, { decimals: 2 }),
          })}
        </p>
      )}
      {remarks.length > 1 && <p className="uc-note">{t('marked')}</p>}
      {isTable ? (
        <DataTable
          label={t('matrixLabel')}
          rows={pairs}
          columns={pairColumns(t)}
          rowKey={({ row, column }) => `${row} ${column}`}
          rowHref={({ a, b }) => interfacePath(a, b, result, scale)}
          csvName={`${name}-pairs`}
          csvRemarks={[provenance]}
        />
      ) : (
        <>
          <ScrollFrame>
            <div className={classes.matrixFrame}>
              {/* Arrow keys move between the links inside. */}
              {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
              <table ref={body} className={classes.matrix} aria-label={t('matrixLabel')} onKeyDown={move}>
                <thead>
                  <tr>
                    <th>eV/atom</th>
                    {table.columns.map((formula) => (
                      <th key={formula} scope="col">
                        <span>
                          <Formula text={formula} />
                        </span>
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {table.rows.map((formula, row) => (
                    <tr key={formula}>
                      <th scope="row">
                        <Formula text={formula} />
                      </th>
                      {table.columns.map((other, column) => {
                        const cell = table.cells[row]?.[column] ?? null;
                        if (cell === null)
                          return (
                            <td key={other} className={classes.diagonal}>
                              ·
                            </td>
                          );
                        return (
                          <td key={other} style={heat(cell)}>
                            <a
                              data-cell={`${row} ${column}`}
                              href={interfacePath(formula, other, result, scale)}
                              target="_blank"
                              rel="noopener"
                              tabIndex={row === tabRow && column === tabColumn ? 0 : -1}
                              aria-label={t('cell', {
                                a: formula,
                                b: other,
                                energy: `${markOf(cell)}${formatNumber(cell.energy)}`,
                              })}
                              onPointerDown={({ pointerType }) => {
                                isFirstTap.current = pointerType === 'touch' && cell !== shown;
                              }}
                              onClick={(event) => {
                                if (!isFirstTap.current) return;
                                event.preventDefault();
                                setCurrent([row, column]);
                              }}
                              onFocus={() => setCurrent([row, column])}
                              onMouseEnter={() => setCurrent([row, column])}
                            >
                              {markOf(cell)}
                              {formatNumber(cell.energy, { decimals: 2 })}
                            </a>
                          </td>
                        );
                      })}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </ScrollFrame>
          <p className={shown === null ? undefined : 'uc-verdict'} aria-live="polite">
            {current !== null && shown !== null && (
              <>
                <strong>
                  {t('cell', {
                    a: formulaText(table.rows[current[0]] ?? ''),
                    b: formulaText(table.columns[current[1]] ?? ''),
                    energy: `${markOf(shown)}${formatNumber(shown.energy)}`,
                  })}
                </strong>
                <br />
                {shown.equation === '' ? t('none') : <ReactionEquation text={shown.equation} />}
                {shown.missing !== null && shown.missing > 0 && (
                  <>
                    <br />
                    <span className="uc-note">
                      {t('incomplete', { count: shown.missing, n: shown.missing })}
                    </span>
                  </>
                )}
              </>
            )}
          </p>
        </>
      )}
    </div>
  );
}

// ── The matrix of reaction energies: its values, its colours, and the figure for a paper ──

type MatrixCell = CoatingMatrix['cells'][number];

interface MatrixTable {
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

/** The matrix as a CSV table of energies with their marks. */
export const matrixRows = ({ rows, cells }: MatrixTable): (string | number)[][] =>
  rows.map((formula, row) => [
    formula,
    ...(cells[row] ?? []).map((cell) =>
      cell === null ? '' : markOf(cell) === '' ? cell.energy : `${markOf(cell)}${cell.energy}`,
    ),
  ]);

interface MatrixFigure {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

const CELL = 44;
const LETTER = 7;
/** Height of a remark's line. */
const REMARK = 14;

/** A figure on white: labels, coloured cells with their values in eV/atom, and remarks below. */
export function matrixFigure(table: MatrixTable, title: string, remarks: readonly string[]): MatrixFigure {
  const longest = Math.max(...[...table.rows, ...table.columns].map(({ length }) => length));
  const margin = longest * LETTER + 16;
  const [left, top] = [margin, margin + 30];
  const width = Math.max(left + table.columns.length * CELL + 12, 420);
  const bottom = top + table.rows.length * CELL + 24;
  const height = bottom + remarks.length * REMARK - 4;
  const text = (x: number, y: number, content: string, more = ''): string =>
    `<text x="${x}" y="${y}" ${more}>${escapeXml(content)}</text>`;
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
        const share = cell === null ? 0 : heatOf(cell.energy);
        const channel = (full: number): number => Math.round(255 + (full - 255) * share * 0.8);
        const fill = cell === null ? '#eeeeee' : `rgb(${channel(176)},${channel(58)},${channel(36)})`;
        const value =
          cell === null
            ? ''
            : text(
                x + CELL / 2,
                y + CELL / 2 + 4,
                `${markOf(cell)}${formatNumber(cell.energy, { decimals: 2 })}`,
                `text-anchor="middle" font-size="11" fill="${share > 0.75 ? '#ffffff' : '#111111'}"`,
              );
        return `<rect x="${x}" y="${y}" width="${CELL}" height="${CELL}" fill="${fill}" stroke="#ffffff"/>${value}`;
      }),
    ),
    ...remarks.map((remark, line) =>
      text(12, bottom + line * REMARK, remark, 'font-size="10" fill="#555555"'),
    ),
  ];
  return {
    width,
    height,
    svg: `<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#111111">${parts.join('')}</svg>\n`,
  };
}
