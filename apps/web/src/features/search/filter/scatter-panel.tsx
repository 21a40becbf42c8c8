/** The whole result as points; a drag over them filters by both numbers. */
import { screenPoints } from '@unitcell/contract/calls';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import { formatCount } from '../../../lib/format.ts';
import { Scatter } from '../../../viz/scatter/scatter.tsx';
import { type Conditions, withRange } from '../../../components/filter/conditions.ts';
import { useFieldTitle, useNumberNames } from '../../../components/filter/filter-words.ts';
import { fieldLabel } from '../../../components/filter/filter-fields.ts';
import { splitNames } from '../view-model.ts';
import { NumbersFrom } from './numbers-from.tsx';
import classes from '../search.module.css';
import { screenTexts } from '../texts.ts';

interface ScatterPanelProps {
  /** `x.y` or `x.y.colour` */
  readonly plot: string;
  readonly onPlot: (plot: string) => void;
  readonly filter: string;
  readonly scale: string;
  readonly conditions: Conditions;
  readonly onConditions: (conditions: Conditions) => void;
}

export function ScatterPanel(props: ScatterPanelProps) {
  const { filter, scale, conditions, onConditions } = props;
  const { t, language } = useTexts(screenTexts);
  const title = useFieldTitle();
  const names = useNumberNames();
  const known = (name: string | undefined): string | null =>
    name !== undefined && names.includes(name) ? name : null;
  const parts = splitNames(props.plot);
  const x = known(parts[0]) ?? 'band_gap';
  const y = known(parts[1]) ?? 'formation_energy_per_atom';
  const color = known(parts[2]);
  const points = useQuery({
    queryKey: ['matdata', 'points', filter, scale, x, y, color],
    queryFn: async ({ signal }) =>
      expectOutcome(
        await callApi(
          screenPoints,
          { filter, scale, x, y, ...(color === null ? {} : { color }) },
          { signal },
        ),
      ),
    placeholderData: keepPreviousData,
    // Comparing hundreds of thousands of numbers one by one would cost more than drawing them.
    structuralSharing: false,
    retry: false,
  });
  const choose = (
    label: string,
    value: string | null,
    onValue: (value: string) => void,
    isOptional = false,
  ) => (
    <label className={classes.axisChoice}>
      {label}
      <select value={value ?? ''} onChange={(event) => onValue(event.currentTarget.value)}>
        {isOptional && <option value="">{t('plotNone')}</option>}
        {names.map((name) => (
          <option key={name} value={name}>
            {fieldLabel(name, language)}
          </option>
        ))}
      </select>
    </label>
  );
  const write = (next: readonly string[]): void => props.onPlot(next.filter((part) => part !== '').join('.'));
  return (
    <section aria-label={t('plot')}>
      <div className={classes.axes}>
        {choose(t('plotX'), x, (name) => write([name, y, color ?? '']))}
        {choose(t('plotY'), y, (name) => write([x, name, color ?? '']))}
        {choose(t('plotColor'), color, (name) => write([x, y, name]), true)}
        <span className={classes.plotHint}>{t('plotHint')}</span>
      </div>
      {points.isError && <ErrorPanel error={points.error} onRetry={() => void points.refetch()} />}
      {points.data && (
        <Scatter
          cloud={points.data}
          x={title(x)}
          y={title(y)}
          color={color === null ? null : title(color)}
          summary={t('plotSummary', {
            n: formatCount(points.data.x.length),
            total: formatCount(points.data.total),
            x: title(x),
            y: title(y),
          })}
          onBrush={(across, up) => onConditions(withRange(withRange(conditions, x, across), y, up))}
        />
      )}
      <NumbersFrom fields={color === null ? [x, y] : [x, y, color]} scale={scale} />
    </section>
  );
}
