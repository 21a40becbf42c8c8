/** A region of chemical potentials with its controls and the table of its corners. */
import { NativeSelect, NumberInput, Slider } from '@mantine/core';
import type { ChemicalPotentials } from '@unitcell/contract/phase-diagram';
import { gasChemicalPotential, TEMPERATURE_LIMITS } from '@unitcell/phase-equilibria';
import { useCallback, useMemo, useState } from 'react';
import { completenessRemark } from '../../../components/completeness/consequence.ts';
import { type DataColumn, valueOf } from '../../../components/data-table/columns.ts';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { useProvenance } from '../../../components/energy-scale/use-scale-name.ts';
import { formulaText } from '../../../components/formula.tsx';
import { NumberText } from '../../../components/number-text.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import type { ChartColors } from '../../../viz/plot/chart-theme.ts';
import { Plot } from '../../../viz/plot/plot.tsx';
import { Mixture } from '../columns.tsx';
import { regionFigure } from './region-figure.ts';
import {
  axisPairs,
  cornersOf,
  drawnRangeOf,
  drawnRegion,
  middleOf,
  type Range,
  rangeOf,
  type RegionCorner,
} from './region-of.ts';
import { potentialTexts } from './texts.ts';
import { formatNumber } from '../../../lib/format.ts';
import classes from '../phase-diagram.module.css';

interface HeldPotentialProps {
  readonly element: string;
  /** eV/atom */
  readonly range: Range;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/** The potential of the element that is on no axis and that the compound does not determine. */
export function HeldPotential({ element, range, value, onChange }: HeldPotentialProps) {
  const { t } = useTexts(potentialTexts);
  return (
    <div className={classes.held}>
      <span className={`uc-note ${classes.heldText}`} id="held-potential">
        {t('held', { element })} <strong>{t('unit', { value: formatNumber(value, { decimals: 2 }) })}</strong>
      </span>
      {/* A region without extent has only one potential. */}
      {range.max > range.min && (
        <Slider
          aria-labelledby="held-potential"
          thumbLabel={t('held', { element })}
          min={range.min}
          max={range.max}
          step={(range.max - range.min) / 200}
          value={value}
          label={(now) => formatNumber(now, { decimals: 2 })}
          onChange={onChange}
        />
      )}
    </div>
  );
}

const ROWS = 8;

interface RegionViewProps {
  readonly answer: ChemicalPotentials;
  /** Kept by the parent when another compound is selected. */
  readonly gas: Gas;
  readonly onGas: (gas: Gas) => void;
}

export function RegionView({ answer, gas, onGas }: RegionViewProps) {
  const { t } = useTexts(potentialTexts);
  const provenance = useProvenance()(answer);
  const { elements, compound, limits } = answer;
  const pairs = useMemo(() => axisPairs(answer), [answer]);
  const middle = useMemo(() => middleOf(answer), [answer]);
  const [chosenPair, setChosenPair] = useState(0);
  const [chosenHeld, setHeld] = useState<number | null>(null);
  const [pointed, setPointed] = useState<RegionCorner | null>(null);
  const pair = pairs[chosenPair] ?? pairs[0];
  const heldElement = pair?.held ?? null;
  const held = chosenHeld ?? (heldElement === null ? 0 : (middle[heldElement] ?? 0));
  const oxygen = elements.indexOf('O');
  const isOxygenDrawn = pair !== undefined && oxygen >= 0 && (pair.x === oxygen || pair.y === oxygen);
  const marked = useMemo(() => {
    const read = isOxygenDrawn ? readGas(gas) : null;
    if (read === null) return null;
    const { temperature, pressure } = read;
    const potential = gasChemicalPotential('O2', temperature, pressure) / 2;
    return { potential, name: t('gasLine', { temperature, pressure }) };
  }, [isOxygenDrawn, gas, t]);
  const corners = useMemo(() => cornersOf(answer), [answer]);
  const highlighted = pointed?.potentials ?? null;
  const isMissed = pair !== undefined && drawnRegion(answer, pair, held).length < 2;

  const figure = useCallback(
    (colors: ChartColors) =>
      pair === undefined
        ? { data: [], layout: {} }
        : regionFigure(
            {
              answer,
              pair,
              held,
              gas: marked,
              highlighted,
              texts: {
                axis: t('axis', { element: '{element}' }),
                beside: t('beside', { formula: '{formula}' }),
                goesOn: t('goesOn'),
                provenance,
              },
            },
            colors,
          ),
    [answer, pair, held, marked, highlighted, provenance, t],
  );
  const columns = useMemo(
    (): readonly DataColumn<RegionCorner>[] => [
      ...elements.map(
        (element, index): DataColumn<RegionCorner> => ({
          id: element,
          header: t('axis', { element }),
          value: ({ potentials }) => potentials[index] ?? null,
          render: ({ potentials }) => <NumberText value={potentials[index] ?? 0} />,
          isNumeric: true,
        }),
      ),
      {
        id: 'beside',
        header: t('inEquilibrium'),
        value: ({ beside }) => beside.join(' + '),
        render: ({ beside }) => <Mixture text={beside.join(' + ')} />,
      },
    ],
    [elements, t],
  );
  const remarks = completenessRemark(answer.completeness);
  const name = `chemical-potentials-${compound.formula}-${elements.join('-')}`;
  return (
    <>
      <div className={`uc-wrap ${classes.potentialsControls}`}>
        {pairs.length > 1 && (
          <NativeSelect
            label={t('axes')}
            data={pairs.map(({ x, y }, index) => ({
              value: String(index),
              label: t('axesOf', { x: `Δμ(${elements[x]})`, y: `Δμ(${elements[y]})` }),
            }))}
            value={String(chosenPair)}
            onChange={({ currentTarget: { value } }) => {
              setChosenPair(Number(value));
              setHeld(null);
            }}
          />
        )}
        {heldElement !== null && (
          <HeldPotential
            element={elements[heldElement] ?? ''}
            range={drawnRangeOf(answer, heldElement)}
            value={held}
            onChange={setHeld}
          />
        )}
        {isOxygenDrawn && <OxygenGas gas={gas} onChange={onGas} />}
      </div>
      {marked !== null && (
        <OxygenVerdict
          potential={marked.potential}
          formula={compound.formula}
          range={rangeOf(answer, oxygen)}
        />
      )}
      <div className={classes.beside}>
        <div className={classes.stage}>
          <Plot
            figure={figure}
            name={name}
            height={440}
            summary={t('summary', {
              elements: elements.join(', '),
              formula: formulaText(compound.formula),
              count: corners.length,
              limits: limits.map(({ formula }) => formulaText(formula)).join(', '),
              scale: provenance,
            })}
            table={() => ({
              remarks,
              header: columns.map(({ header }) => header),
              rows: corners.map((corner) => columns.map((column) => valueOf(column, corner))),
            })}
          />
          {isMissed && heldElement !== null && (
            <p className={classes.note}>{t('missed', { element: elements[heldElement] ?? '' })}</p>
          )}
        </div>
        <DataTable
          label={t('corners')}
          rows={corners}
          columns={columns}
          rowKey={({ key }) => key}
          pageSize={ROWS}
          csvName={name}
          csvRemarks={remarks}
          caption={
            <p className={classes.note}>
              {provenance}
              <br />
              {t('zero')}
            </p>
          }
          onRowHover={setPointed}
        />
      </div>
    </>
  );
}

/** Typed values. */
interface Gas {
  readonly temperature: number | string;
  readonly pressure: number | string;
}

/** Default: a furnace in air. */
export const AIR: Gas = { temperature: 1000, pressure: 0.21 };

/** K and bar; null if the input is invalid. */
function readGas({ temperature, pressure }: Gas): { temperature: number; pressure: number } | null {
  const [kelvin, bar] = [Number(temperature), Number(pressure)];
  const { min, max } = TEMPERATURE_LIMITS;
  const isPossible = temperature !== '' && pressure !== '' && kelvin >= min && kelvin <= max && bar > 0;
  return isPossible ? { temperature: kelvin, pressure: bar } : null;
}

/** Temperature and pressure of O2 gas; the drawing marks the corresponding chemical potential. */
function OxygenGas({ gas, onChange }: { readonly gas: Gas; readonly onChange: (gas: Gas) => void }) {
  const { t } = useTexts(potentialTexts);
  const { min, max } = TEMPERATURE_LIMITS;
  const isPossible = readGas(gas) !== null;
  return (
    <fieldset className={`uc-row ${classes.gas}`} title={t('gasSource')}>
      <legend>{t('gas')}</legend>
      <NumberInput
        aria-label={t('temperature')}
        suffix=" K"
        value={gas.temperature}
        min={min}
        max={max}
        clampBehavior="none"
        error={!isPossible}
        onChange={(temperature) => onChange({ ...gas, temperature })}
      />
      <NumberInput
        aria-label={t('pressure')}
        suffix=" bar"
        value={gas.pressure}
        error={!isPossible}
        onChange={(pressure) => onChange({ ...gas, pressure })}
      />
      {!isPossible && <span className={classes.potentialsProblem}>{t('gasRange', { min, max })}</span>}
    </fieldset>
  );
}

/** States whether the compound is stable in the gas. */
function OxygenVerdict({
  potential,
  formula,
  range,
}: {
  readonly potential: number;
  readonly formula: string;
  readonly range: Range;
}) {
  const { t } = useTexts(potentialTexts);
  const side = potential > range.max ? 'gasAbove' : potential < range.min ? 'gasBelow' : 'gasInside';
  const text = (energy: number): string =>
    energy === Number.NEGATIVE_INFINITY ? '−∞' : formatNumber(energy, { decimals: 2 });
  return (
    <p className={classes.potentialsVerdict}>
      {t(side, {
        value: text(potential),
        from: text(range.min),
        to: text(range.max),
        formula: formulaText(formula),
      })}
    </p>
  );
}
