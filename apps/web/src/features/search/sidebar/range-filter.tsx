/** A range filter: histogram of the remaining materials, a brush, two boxes for exact limits, and common ranges. */
import type { Facet } from '@unitcell/contract/matdata';
import { type PointerEvent, useId, useRef, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount, readNumber } from '../../../lib/format.ts';
import type { Range } from '../../../components/filter/conditions.ts';
import { fieldLabel, type RangeField, useFieldUnit } from '../../../components/filter/filter-fields.ts';
import classes from '../search.module.css';
import { screenTexts } from '../texts.ts';

const WIDTH = 240;
const HEIGHT = 44;

interface RangeFilterProps {
  readonly field: RangeField;
  readonly facet: Facet | undefined;
  readonly range: Range;
  readonly onRange: (range: Range) => void;
}

/** Removes the floating-point error of repeatedly added steps. */
const rounded = (value: number): number => Number(value.toPrecision(10));

export function RangeFilter({ field, facet, range, onRange }: RangeFilterProps) {
  const { t, language } = useTexts(screenTexts);
  const { property, presets } = field;
  const name = fieldLabel(property, language);
  const unit = useFieldUnit()(property);
  const histogram = facet?.kind === 'histogram' ? facet : null;
  const presetName = (text: string): string =>
    text === '0' ? t(property === 'band_gap' ? 'metal' : 'stable') : text;
  return (
    <div className={classes.range}>
      {histogram ? (
        <Histogram name={name} histogram={histogram} range={range} onRange={onRange} />
      ) : (
        <HistogramToCome />
      )}
      <div className={classes.ends}>
        <End
          label={t('from', { name })}
          hint={t('fromShort')}
          value={range.from}
          onValue={(from) => onRange({ ...range, from })}
        />
        <span aria-hidden="true">–</span>
        <End
          label={t('to', { name })}
          hint={t('toShort')}
          value={range.to}
          onValue={(to) => onRange({ ...range, to })}
        />
        <span className={`uc-fine ${classes.unit}`}>{unit}</span>
      </div>
      {presets.length > 0 && (
        <div className={`uc-wrap ${classes.presets}`}>
          {presets.map(({ name: text, from, to }) => {
            const isOn = range.from === from && range.to === to;
            return (
              <button
                key={text}
                type="button"
                className={classes.preset}
                aria-pressed={isOn}
                aria-label={`${name} ${presetName(text)} ${unit}`}
                onClick={() => onRange(isOn ? { from: null, to: null } : { from, to })}
              >
                {presetName(text)}
              </button>
            );
          })}
        </div>
      )}
    </div>
  );
}

interface EndProps {
  readonly label: string;
  readonly hint: string;
  readonly value: number | null;
  readonly onValue: (value: number | null) => void;
}

/** A box that reports its value on blur or Enter. */
function End({ label, hint, value, onValue }: EndProps) {
  const [typed, setTyped] = useState({ text: value === null ? '' : String(value), of: value });
  if (typed.of !== value) setTyped({ text: value === null ? '' : String(value), of: value });
  const commit = (): void => {
    const number = readNumber(typed.text);
    if (number === null && typed.text.trim() !== '')
      setTyped({ text: value === null ? '' : String(value), of: value });
    else if (number !== value) onValue(number);
  };
  return (
    <input
      className={classes.end}
      inputMode="decimal"
      aria-label={label}
      placeholder={hint}
      value={typed.text}
      onChange={(event) => setTyped({ ...typed, text: event.currentTarget.value })}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
      }}
    />
  );
}

interface HistogramProps {
  readonly name: string;
  readonly histogram: Extract<Facet, { kind: 'histogram' }>;
  readonly range: Range;
  readonly onRange: (range: Range) => void;
}

/** Reserved height of a histogram, so that nothing moves when the counts arrive. */
const HistogramToCome = () => (
  <div className={classes.histogram} aria-hidden="true">
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" />
    <div className={classes.axis}>&nbsp;</div>
  </div>
);

/** Bar heights are square roots of counts, so that single materials stay visible beside thousands. */
function Histogram({ name, histogram, range, onRange }: HistogramProps) {
  const { t } = useTexts(screenTexts);
  const { from, step, counts, missing } = histogram;
  const [drag, setDrag] = useState<readonly [number, number] | null>(null);
  const svg = useRef<SVGSVGElement>(null);
  const clip = useId();
  const bins = counts.length;
  const most = Math.sqrt(Math.max(1, ...counts));
  const edge = (bin: number): number => rounded(from + bin * step);
  const place = (value: number): number => Math.max(0, Math.min(1, (value - from) / (step * bins)));
  const binAt = ({ clientX }: PointerEvent): number => {
    const box = svg.current!.getBoundingClientRect();
    return Math.max(0, Math.min(bins - 1, Math.floor(((clientX - box.left) / box.width) * bins)));
  };
  const dragged = drag && [Math.min(...drag), Math.max(...drag) + 1];
  const [low, high] = dragged
    ? [dragged[0]! / bins, dragged[1]! / bins]
    : [range.from === null ? 0 : place(range.from), range.to === null ? 1 : Math.max(place(range.to), 0.006)];
  const isActive = drag !== null || range.from !== null || range.to !== null;
  const inside = dragged ? counts.slice(dragged[0], dragged[1]).reduce((sum, count) => sum + count, 0) : null;

  const finish = (): void => {
    if (!dragged) return;
    setDrag(null);
    const [first, behind] = dragged;
    // The first and the last bin include all values beyond them.
    onRange({ from: first === 0 ? null : edge(first!), to: behind === bins ? null : edge(behind!) });
  };
  return (
    <div className={classes.histogram}>
      <svg
        ref={svg}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          const bin = binAt(event);
          setDrag([bin, bin]);
        }}
        onPointerMove={(event) => drag && setDrag([drag[0], binAt(event)])}
        onPointerUp={finish}
        onPointerCancel={() => setDrag(null)}
      >
        <clipPath id={clip}>
          <rect x={low * WIDTH} y={0} width={Math.max(0, high - low) * WIDTH} height={HEIGHT} />
        </clipPath>
        {(['bars', 'chosen'] as const).map((layer) => (
          <g
            key={layer}
            className={classes[layer]}
            {...(layer === 'chosen' ? { clipPath: `url(#${clip})` } : {})}
          >
            {counts.map((count, bin) => {
              const height = count === 0 ? 0 : Math.max(1.5, (Math.sqrt(count) / most) * (HEIGHT - 2));
              const width = WIDTH / bins;
              return (
                <rect
                  key={edge(bin)}
                  x={bin * width + 0.5}
                  y={HEIGHT - height}
                  width={Math.max(0.5, width - 1)}
                  height={height}
                />
              );
            })}
          </g>
        ))}
        {isActive && (
          <rect
            className={classes.brush}
            x={low * WIDTH}
            y={0}
            width={Math.max(1.5, (high - low) * WIDTH)}
            height={HEIGHT}
          />
        )}
      </svg>
      <div className={classes.axis}>
        <span aria-hidden="true">{edge(0)}</span>
        {dragged && inside !== null ? (
          <span aria-hidden="true" className={classes.live}>
            {edge(dragged[0]!)}–{edge(dragged[1]!)}: {formatCount(inside)}
          </span>
        ) : (
          missing > 0 && <span>{t('missing', { n: formatCount(missing) })}</span>
        )}
        <span aria-hidden="true">{edge(bins)}</span>
      </div>
      <span className="uc-visually-hidden">
        {t('distribution', {
          name,
          from: edge(0),
          to: edge(bins),
          n: formatCount(counts.reduce((sum, count) => sum + count, 0)),
        })}
      </span>
    </div>
  );
}
