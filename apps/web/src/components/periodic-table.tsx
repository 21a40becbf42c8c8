/**
 * The periodic table as an input: 118 toggle buttons, one tab stop. 18 columns on wide screens. Phones show ten columns and
 * five rows until expanded. A display in the empty middle describes the element under the pointer.
 */
import { type ChemicalElement, ELEMENTS, findElement } from '@unitcell/elements';
import { type CSSProperties, type KeyboardEvent, memo, useRef, useState } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { useIsCompact } from '../lib/breakpoints.ts';
import { componentTexts } from './texts.ts';
import classes from './search-form/search-form.module.css';

// Position of each element, and the target of each arrow key.

interface Cell {
  /** One-based. */
  readonly row: number;
  /** One-based. */
  readonly column: number;
}

type Layout = 'standard' | 'compact';

const COMPACT_COLUMNS = 10;
/** Rows of the compact form before "show all": hydrogen to tin. */
const COMPACT_ROWS = 5;

/** 18 columns, with the f block in separate rows below. */
function standardCell(element: ChemicalElement): Cell {
  if (element.group !== null) return { row: element.period, column: element.group };
  const first = element.period === 6 ? 57 : 89;
  return { row: element.period + 3, column: element.number - first + 3 };
}

const compactCell = (element: ChemicalElement): Cell => ({
  row: Math.floor((element.number - 1) / COMPACT_COLUMNS) + 1,
  column: ((element.number - 1) % COMPACT_COLUMNS) + 1,
});

export const cellOf = (element: ChemicalElement, layout: Layout): Cell =>
  layout === 'standard' ? standardCell(element) : compactCell(element);

type ArrowKey = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight' | 'Home' | 'End';

const isArrowKey = (key: string): key is ArrowKey =>
  ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(key);

const nearest = (candidates: readonly ChemicalElement[], cost: (element: ChemicalElement) => number) =>
  candidates.reduce<ChemicalElement | undefined>(
    (best, element) => (best === undefined || cost(element) < cost(best) ? element : best),
    undefined,
  );

/** Left and right follow the atomic number; up and down go to the nearest filled cell of the next row. */
export function neighbour(
  from: ChemicalElement,
  key: ArrowKey,
  layout: Layout,
  shown: readonly ChemicalElement[],
): ChemicalElement {
  const at = shown.indexOf(from);
  if (key === 'Home') return shown[0] ?? from;
  if (key === 'End') return shown.at(-1) ?? from;
  if (key === 'ArrowLeft') return shown[at - 1] ?? from;
  if (key === 'ArrowRight') return shown[at + 1] ?? from;
  const here = cellOf(from, layout);
  const direction = key === 'ArrowUp' ? -1 : 1;
  const beyond = shown.filter((element) => (cellOf(element, layout).row - here.row) * direction > 0);
  const cost = (element: ChemicalElement): number => {
    const cell = cellOf(element, layout);
    return Math.abs(cell.column - here.column) * 100 + Math.abs(cell.row - here.row);
  };
  return nearest(beyond, cost) ?? from;
}

export const shownElements = (layout: Layout, isExpanded: boolean): readonly ChemicalElement[] =>
  layout === 'standard' || isExpanded ? ELEMENTS : ELEMENTS.slice(0, COMPACT_COLUMNS * COMPACT_ROWS);

interface PeriodicTableProps {
  readonly selected: ReadonlySet<string>;
  /** Excluded elements, drawn crossed out. */
  readonly excluded?: ReadonlySet<string>;
  /** Number of materials left if the element is added; elements with zero are dimmed. */
  readonly counts?: Readonly<Record<string, number>>;
  /** Colours the tiles by a number instead of by category. */
  readonly tints?: Readonly<Record<string, Tint>>;
  readonly onToggle: (symbol: string) => void;
  readonly label?: string;
}

export interface Tint {
  /** Strength of the colour, from 0 (palest) to 1. */
  readonly share: number;
  /** Text in the tile. */
  readonly text: string;
  /** Text for screen readers and tooltips. */
  readonly label: string;
}

const NONE: ReadonlySet<string> = new Set();

/** A tile has room for four characters: 12k for 12,345. */
const shortCount = (count: number): string =>
  count === 0 ? '' : count < 10_000 ? String(count) : `${Math.round(count / 1000)}k`;

interface TileProps {
  readonly element: ChemicalElement;
  readonly layout: Layout;
  readonly name: string;
  readonly isSelected: boolean;
  readonly isExcluded: boolean;
  /** Undefined if counts are off. */
  readonly count: number | undefined;
  /** True if no material has the element. */
  readonly isEmpty: boolean;
  readonly tint: Tint | undefined;
  readonly isTabStop: boolean;
  readonly onToggle: (symbol: string) => void;
  readonly onPoint: (symbol: string) => void;
}

/** Category colour as a CSS variable. */
const hueOf = ({ category }: ChemicalElement): CSSProperties =>
  ({ '--hue': `var(--uc-cat-${category}, var(--uc-ink-faint))` }) as CSSProperties;

const Tile = memo(function Tile(props: TileProps) {
  const {
    element,
    layout,
    name,
    isEmpty,
    isSelected,
    isExcluded,
    count,
    tint,
    isTabStop,
    onToggle,
    onPoint,
  } = props;
  const { t } = useTexts(componentTexts);
  const { row, column } = cellOf(element, layout);
  return (
    <button
      type="button"
      className={classes.tile}
      style={{
        gridRow: row > 7 && layout === 'standard' ? row + 1 : row,
        gridColumn: column,
        ...hueOf(element),
        ...(tint && { '--tint': `${Math.round(8 + 62 * tint.share)}%` }),
      }}
      data-tinted={tint !== undefined || undefined}
      title={tint?.label}
      data-symbol={element.symbol}
      data-excluded={isExcluded || undefined}
      data-empty={((isEmpty || count === 0) && !isSelected && !isExcluded) || undefined}
      aria-pressed={isSelected}
      tabIndex={isTabStop ? 0 : -1}
      onClick={() => onToggle(element.symbol)}
      onPointerEnter={() => onPoint(element.symbol)}
      onFocus={() => onPoint(element.symbol)}
    >
      <span className={classes.number}>{element.number}</span>{' '}
      <span className={classes.symbol} translate="no">
        {element.symbol}
      </span>{' '}
      <span className="uc-visually-hidden">{name}</span>
      {tint && (
        <>
          <span className={classes.tint} aria-hidden="true">
            {tint.text}
          </span>
          <span className="uc-visually-hidden">, {tint.label}</span>
        </>
      )}
      {count !== undefined && (
        <>
          <span className={classes.count} aria-hidden="true">
            {shortCount(count)}
          </span>
          <span className="uc-visually-hidden">{t('elementCount', { count, n: count })}</span>
        </>
      )}
    </button>
  );
});

/** Describes the element under the pointer. Screen readers get the same from the tiles. */
function Readout({ symbol }: { readonly symbol: string | null }) {
  const { t, language } = useTexts(componentTexts);
  const element = symbol === null ? undefined : findElement(symbol);
  if (!element)
    return (
      <div className={`uc-line uc-note ${classes.readout}`} aria-hidden="true">
        <span className={classes.hint}>
          {t('elementHint')}
          <br />
          {t('elementKeys')}
        </span>
      </div>
    );
  return (
    <div className={`uc-line uc-note ${classes.readout}`} aria-hidden="true">
      <span className={classes.bigTile} style={hueOf(element)}>
        <span className={classes.bigNumber}>{element.number}</span>
        <span className={classes.bigSymbol} translate="no">
          {element.symbol}
        </span>
      </span>
      <span className={classes.facts}>
        <strong className={classes.name}>{language === 'zh' ? element.nameZh : element.nameEn}</strong>
        <span>{t(element.category)}</span>
        <span>
          {t('mass')} <b>{element.atomicMass}</b>
        </span>
        <span>
          {t('electronegativity')} <b>{element.electronegativity ?? '-'}</b>
        </span>
      </span>
    </div>
  );
}

export function PeriodicTable({
  selected,
  excluded = NONE,
  counts,
  tints,
  onToggle,
  label,
}: PeriodicTableProps) {
  const { t, language } = useTexts(componentTexts);
  const layout: Layout = useIsCompact() ? 'compact' : 'standard';
  const [isExpanded, setExpanded] = useState(false);
  const [pointed, setPointed] = useState<string | null>(null);
  const [tabStop, setTabStop] = useState('H');
  const grid = useRef<HTMLFieldSetElement>(null);
  const shown = shownElements(layout, isExpanded);

  const moveFocus = (event: KeyboardEvent<HTMLFieldSetElement>): void => {
    const symbol = (event.target as HTMLElement).dataset['symbol'];
    const from = symbol === undefined ? undefined : findElement(symbol);
    if (!from || !isArrowKey(event.key)) return;
    event.preventDefault();
    const to = neighbour(from, event.key, layout, shown);
    setTabStop(to.symbol);
    grid.current?.querySelector<HTMLButtonElement>(`[data-symbol="${to.symbol}"]`)?.focus();
  };

  const stop = shown.some((element) => element.symbol === tabStop) ? tabStop : 'H';
  return (
    <div className={classes.frame}>
      {/* Arrow keys move between the buttons inside; the group itself takes no focus. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <fieldset
        ref={grid}
        aria-label={label ?? t('periodicTable')}
        className={classes.grid}
        data-layout={layout}
        onKeyDown={moveFocus}
        onPointerLeave={() => setPointed(null)}
        // A mouse click must not move the focus to the tile: Enter would then toggle the tile and not start the search.
        onMouseDown={(event) => event.preventDefault()}
      >
        {shown.map((element) => (
          <Tile
            key={element.symbol}
            element={element}
            layout={layout}
            name={language === 'zh' ? element.nameZh : element.nameEn}
            isEmpty={tints !== undefined && tints[element.symbol] === undefined}
            isSelected={selected.has(element.symbol)}
            isExcluded={excluded.has(element.symbol)}
            count={counts && (counts[element.symbol] ?? 0)}
            tint={tints?.[element.symbol]}
            isTabStop={element.symbol === stop}
            onToggle={onToggle}
            onPoint={setPointed}
          />
        ))}
        {layout === 'standard' && <Readout symbol={pointed} />}
      </fieldset>
      {layout === 'compact' && (
        <button
          type="button"
          className={`uc-panel ${classes.more}`}
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
        >
          {isExpanded ? t('showFewerElements') : t('showAllElements')}
        </button>
      )}
    </div>
  );
}
