/** The chemical potentials at which a selected stable compound of the diagram is stable. */
import { NativeSelect, Slider } from '@mantine/core';
import { useState, useCallback, useMemo } from 'react';
import { CopyAsCode } from '../../../components/copy-as-code/copy-as-code.tsx';
import { ErrorPanel } from '../../../components/failure.tsx';
import { Section } from '../../../components/section.tsx';
import { HowItWorks, Waiting } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { potentialsRequest, useChemicalPotentials } from '../api/use-phase-diagram.ts';
import classes from '../phase-diagram.module.css';
import { potentialTexts } from './texts.ts';
import type { ChemicalPotentials } from '@unitcell/contract/phase-diagram';
import { zeroOfScale } from '@unitcell/contract/phase-diagram/rules';
import { gasPotentials } from '@unitcell/phase-equilibria';
import { completenessRemark } from '../../../components/completeness/completeness-note.tsx';
import { type DataColumn, numberColumn, valueOf } from '../../../components/data-table/columns.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { useProvenance } from '../../../components/energy-scale/energy-scale.tsx';
import { formulaText } from '../../../components/formula.tsx';
import { usePointedPhase } from '../../../components/pointed-phase.ts';
import { useIsCompact } from '../../../lib/breakpoints.ts';
import type { ChartColors } from '../../../viz/plot/chart-theme.ts';
import { Plot } from '../../../viz/plot/plot.tsx';
import { Mixture } from '../columns.tsx';
import type { PlaneChoice } from '../view-model.ts';
import {
  AIR_FURNACE,
  type OpenGasState,
  readOpenGas,
  writeOpenGas,
} from '../../../components/open-gas/open-gas-state.ts';
import { OpenGas } from '../../../components/open-gas/open-gas.tsx';
import { type PotentialMark, regionFigure } from './region-figure.ts';
import {
  type AxisPair,
  axisPairs,
  cornersOf,
  drawnRangeOf,
  drawnRegion,
  middleOf,
  type Range,
  rangeOf,
  type RegionCorner,
} from './region-of.ts';
import { formatNumber, readNumber } from '../../../lib/format.ts';

interface PotentialsSectionProps {
  /** Elements of the diagram, as requested. */
  readonly include: string;
  readonly functional: string;
  /** Formulas of the stable compounds. */
  readonly compounds: readonly string[];
  /** The selected compound; null if none. */
  readonly compound: string | null;
  readonly onCompound: (formula: string | null) => void;
  readonly plane: PlaneChoice;
  readonly onPlane: (plane: PlaneChoice) => void;
  /** Formation energy of the selected compound if it is the visitor's own, eV/atom. */
  readonly ownEnergy?: number | null;
}

export function PotentialsSection(props: PotentialsSectionProps) {
  const { include, functional, compounds, compound, onCompound, plane, onPlane, ownEnergy = null } = props;
  const { t } = useTexts(potentialTexts);
  const region = useChemicalPotentials(include, compound, functional, ownEnergy);
  // Keep a compound from the address in the list even if it is invalid; the answer reports that.
  const named = [...new Set([...compounds, ...(compound === null ? [] : [compound])])];
  return (
    <Section
      id="potentials"
      title={t('title')}
      lead={
        <>
          {t('lead')} <HowItWorks guide="phase-diagram#chemical-potentials" />
        </>
      }
      tools={
        compound !== null && <CopyAsCode sent={potentialsRequest(include, compound, functional, ownEnergy)} />
      }
    >
      <div className={classes.view}>
        <NativeSelect
          label={t('compound')}
          className={classes.compound}
          data={[
            { value: '', label: t('choose') },
            ...named.map((value) => ({ value, label: formulaText(value) })),
          ]}
          value={compound ?? ''}
          onChange={({ currentTarget: { value } }) => onCompound(value || null)}
        />
        {compound !== null && region.isPending && <Waiting>{t('loading')}</Waiting>}
        {compound !== null && region.isError && (
          <ErrorPanel error={region.error} onRetry={() => void region.refetch()} />
        )}
        {compound !== null && region.isSuccess && (
          <div className={classes.result} data-stale={region.isPlaceholderData || undefined}>
            <RegionView
              key={region.data.compound.formula}
              answer={region.data}
              plane={plane}
              onPlane={onPlane}
            />
          </div>
        )}
      </div>
    </Section>
  );
}

// ── A region of chemical potentials with its controls and the table of its corners ──

interface HeldPotentialProps {
  readonly element: string;
  /** eV/atom */
  readonly range: Range;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/** Slider for the potential of an element that is not on the axes and that the compound does not determine. */
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
/** By default the gas of a furnace in air is marked. */
const AIR: OpenGasState = { ...AIR_FURNACE, temperature: 1000 };
const NO_GAS = 'none';

const gasOf = (mark: string | null): OpenGasState | null =>
  mark === NO_GAS ? null : (readOpenGas(mark) ?? AIR);

interface RegionViewProps {
  readonly answer: ChemicalPotentials;
  readonly plane: PlaneChoice;
  readonly onPlane: (plane: PlaneChoice) => void;
}

export function RegionView({ answer, plane, onPlane }: RegionViewProps) {
  const { t } = useTexts(potentialTexts);
  const provenance = useProvenance()(answer);
  const { elements, compound, limits } = answer;
  const pairs = useMemo(() => axisPairs(answer), [answer]);
  const middle = useMemo(() => middleOf(answer), [answer]);
  const [pointed, setPointed] = useState<RegionCorner | null>(null);
  const { formula: pointedPhase } = usePointedPhase();
  const axesOf = ({ x, y }: AxisPair): string => `${elements[x]},${elements[y]}`;
  const pair = pairs.find((one) => axesOf(one) === plane.axes) ?? pairs[0];
  const heldElement = pair?.held ?? null;
  const heldSymbol = elements[heldElement ?? -1] ?? '';
  const heldRange = heldElement === null ? { min: 0, max: 0 } : drawnRangeOf(answer, heldElement);
  const [heldOf, heldText = ''] = plane.held?.split(',') ?? [];
  const wanted = (heldOf === heldSymbol ? readNumber(heldText) : null) ?? middle[heldElement ?? -1] ?? 0;
  // If the hull changed after a link was shared, the potential in the link may be out of range.
  const held = Math.min(heldRange.max, Math.max(heldRange.min, wanted));
  const gas = useMemo(() => gasOf(plane.mark), [plane.mark]);
  /** Name of the gas, and the potentials of its elements; null if the gas does not determine the potentials. */
  const inGas = useMemo((): { name: string; potentials: Readonly<Record<string, number>> | null } => {
    if (gas === null) return { name: '', potentials: {} };
    const gases = gas.second ? [gas, gas.second] : [gas];
    const mixture = gases
      .map((part) => t('gasPart', { gas: formulaText(part.gas), pressure: part.pressure }))
      .join(' + ');
    return {
      name: t('gasLine', { temperature: gas.temperature, mixture }),
      potentials: gasPotentials(gases, gas.temperature, zeroOfScale(answer.functional)),
    };
  }, [gas, answer.functional, t]);
  const marked = useMemo(
    (): readonly (PotentialMark & { readonly element: string })[] =>
      (['x', 'y'] as const).flatMap((axis) => {
        const element = pair === undefined ? undefined : elements[pair[axis]];
        const potential = element === undefined ? undefined : inGas.potentials?.[element];
        return element === undefined || potential === undefined
          ? []
          : [{ axis, element, potential, name: `${element}: ${inGas.name}` }];
      }),
    [pair, elements, inGas],
  );
  const isCompact = useIsCompact();
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
              marks: marked,
              highlighted,
              isCompact,
              texts: {
                axis: t('axis', { element: '{element}' }),
                beside: t('beside', { formula: '{formula}' }),
                goesOn: t('goesOn'),
                provenance,
              },
            },
            colors,
          ),
    [answer, pair, held, marked, highlighted, isCompact, provenance, t],
  );
  const columns = useMemo(
    (): readonly DataColumn<RegionCorner>[] => [
      ...elements.map((element, index) =>
        numberColumn<RegionCorner>(element, t('axis', { element }), ({ potentials }) => potentials[index]),
      ),
      {
        id: 'beside',
        isWrapped: true,
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
            size="xs"
            label={t('axes')}
            data={pairs.map((one) => ({
              value: axesOf(one),
              label: t('axesOf', { x: `Δμ(${elements[one.x]})`, y: `Δμ(${elements[one.y]})` }),
            }))}
            value={pair && axesOf(pair)}
            onChange={({ currentTarget: { value } }) => onPlane({ ...plane, axes: value, held: null })}
          />
        )}
        {heldElement !== null && (
          <HeldPotential
            element={heldSymbol}
            range={heldRange}
            value={held}
            onChange={(potential) =>
              onPlane({ ...plane, held: `${heldSymbol},${Math.round(potential * 1e4) / 1e4}` })
            }
          />
        )}
        <OpenGas
          open={gas}
          onChange={(next) => onPlane({ ...plane, mark: next === null ? NO_GAS : writeOpenGas(next) })}
          label={t('gas')}
          noGas={t('noGas')}
        />
      </div>
      {inGas.potentials === null && <p className={classes.potentialsProblem}>{t('gasUndetermined')}</p>}
      {marked.map(({ element, potential }) => (
        <GasVerdict
          key={element}
          element={element}
          potential={potential}
          formula={compound.formula}
          range={rangeOf(answer, elements.indexOf(element))}
        />
      ))}
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
            <p className={classes.note}>{t('missed', { element: heldSymbol })}</p>
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
          isHighlighted={({ beside }) => pointedPhase !== null && beside.includes(pointedPhase)}
          onRowHover={setPointed}
        />
      </div>
    </>
  );
}

/** States whether the compound is stable in the gas. */
function GasVerdict({
  element,
  potential,
  formula,
  range,
}: {
  readonly element: string;
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
        element,
        value: text(potential),
        from: text(range.min),
        to: text(range.max),
        formula: formulaText(formula),
      })}
    </p>
  );
}
