/** Volumetric data of a file: its numbers, an isosurface in the cell and a slice. */
import { Slider } from '@mantine/core';
import { cellVolume, compositionOf, parseFormula, reducedFormula } from '@unitcell/crystal';
import { useMemo, useState } from 'react';
import { fact, type Fact, FactTable } from '../../components/fact-table.tsx';
import { Formula, formulaText } from '../../components/formula.tsx';
import { Notice } from '../../components/notice.tsx';
import { PanelBoundary } from '../../components/failure.tsx';
import { ToolbarButtons } from '../../components/toolbar-buttons.tsx';
import { joined, type Translate, useTexts } from '../../i18n/texts.ts';
import { coarserGrid, type Grid, isosurface } from './isosurface.ts';
import type { OpenedVolume } from './read-volume-file.ts';
import { SlicePlot } from './slice.tsx';
import { volumeTexts } from './texts.ts';
import {
  enclosedShare,
  firstLevel,
  integralOf,
  LEVEL_STEPS,
  levelAt,
  levelScale,
  shortValue,
  signsOf,
  stepOf,
  type VolumeNumbers,
} from './volume-numbers.ts';
import { VolumeStage } from './volume-stage.tsx';
import classes from '../figure.module.css';

/** Maximum number of points along an edge for surfaces; a drawing shows no more detail. */
const MAX_DRAWN = 64;

type T = Translate<(typeof volumeTexts)['en']>;

interface Part {
  /** Distinguishes the data sets of a file in the names of pictures. */
  readonly suffix: string;
  readonly title: string;
  readonly unit: string;
  readonly values: Float32Array;
  readonly numbers: VolumeNumbers;
  /** Name and unit of the integral over the cell; undefined for an ELF or a potential. */
  readonly integral?: readonly [name: string, unit: string];
}

const UNITS = { 'charge-density': 'e/Å³', elf: '', potential: 'eV', unknown: '' } as const;

/** The data sets of the file: the first, and that of the second spin if the file has one. */
function partsOf({ volume, numbers, secondNumbers }: OpenedVolume, t: T): readonly [Part, ...Part[]] {
  const { quantity, values, secondSpin } = volume;
  const unit = UNITS[quantity];
  const name = t(quantity);
  const isDensity = quantity === 'charge-density';
  const integral = isDensity
    ? ([t('electrons'), 'e'] as const)
    : quantity === 'unknown'
      ? ([t('integral'), ''] as const)
      : undefined;
  const isSplit = secondSpin !== undefined && !isDensity;
  const first: Part = {
    suffix: isSplit ? '-up' : '',
    title: isSplit ? t('up', { quantity: name }) : name,
    unit,
    values,
    numbers,
    ...(integral && { integral }),
  };
  if (!secondSpin || !secondNumbers) return [first];
  const second: Part = isDensity
    ? {
        suffix: '-magnetization',
        title: t('magnetization'),
        unit: 'μB/Å³',
        values: secondSpin,
        numbers: secondNumbers,
        integral: [t('moment'), 'μB'],
      }
    : {
        suffix: '-down',
        title: t('down', { quantity: name }),
        unit,
        values: secondSpin,
        numbers: secondNumbers,
      };
  return [first, second];
}

interface VolumePanelProps {
  readonly opened: OpenedVolume;
  /** Formula of the material that the page shows. */
  readonly formula: string;
  /** Name of exported files, without extension. */
  readonly name: string;
}

const withUnit = (value: string, unit: string): string => `${value} ${unit}`.trimEnd();

export function VolumePanel({ opened, formula, name }: VolumePanelProps) {
  const { t } = useTexts(volumeTexts);
  const parts = partsOf(opened, t);
  const [chosen, setChosen] = useState(0);
  const part = parts[chosen] ?? parts[0];
  const { structure, gridSizes } = opened.volume;
  const found = structure.sites.length > 0 ? reducedFormula(compositionOf(structure)) : '';
  const isOther = found !== '' && found !== reducedFormula(parseFormula(formula));
  const cells: readonly Fact[] = [
    fact(t('quantity'), part.title),
    fact(
      t('formula'),
      found === '' ? (
        '-'
      ) : (
        <>
          <Formula text={found} /> ({structure.sites.length})
        </>
      ),
    ),
    fact(t('gridSizes'), gridSizes.join(' × ')),
    fact(t('cell'), cellVolume(structure.latticeVectors).toFixed(2), 'Å³'),
    fact(t('min'), shortValue(part.numbers.min), part.unit),
    fact(t('max'), shortValue(part.numbers.max), part.unit),
    fact(t('mean'), shortValue(part.numbers.mean), part.unit),
    ...(part.integral
      ? [fact(part.integral[0], shortValue(integralOf(opened.volume, part.numbers)), part.integral[1])]
      : []),
  ];
  return (
    <div className={classes.panel}>
      {isOther && (
        <Notice kind="warning">
          {t('otherComposition', { found: formulaText(found), expected: formulaText(formula) })}
        </Notice>
      )}
      {parts.length > 1 && (
        <ToolbarButtons
          label={t('data')}
          buttons={parts.map(({ title }, index) => ({
            id: title,
            label: title,
            isOn: part === parts[index],
            onClick: () => setChosen(index),
          }))}
        />
      )}
      <PartDrawings
        key={chosen}
        opened={opened}
        part={part}
        formula={found === '' ? formula : found}
        name={`${name}${part.suffix}`}
      />
      <FactTable title={t('summary')} facts={cells} />
    </div>
  );
}

interface PartDrawingsProps extends VolumePanelProps {
  readonly part: Part;
}

function PartDrawings({ opened, part, formula, name }: PartDrawingsProps) {
  const { t } = useTexts(volumeTexts);
  const { volume } = opened;
  const { structure, gridSizes, quantity } = volume;
  const { numbers, values } = part;
  const scale = levelScale(quantity, numbers);
  const [step, setStep] = useState(() => stepOf(scale, firstLevel(quantity, numbers)));
  // The step whose surface is drawn. It follows the slider only when the slider stops.
  const [drawnStep, setDrawnStep] = useState(step);
  const grid = useMemo((): Grid => ({ sizes: gridSizes, values }), [gridSizes, values]);
  const drawn = useMemo(() => coarserGrid(grid, MAX_DRAWN), [grid]);
  const signs = signsOf(numbers);
  const level = levelAt(scale, step);
  const drawnLevel = levelAt(scale, drawnStep);
  const signKey = signs.join();
  const surfaces = useMemo(
    () =>
      signKey === ''
        ? []
        : signKey.split(',').map((text) => {
            const sign = text === '1' ? (1 as const) : (-1 as const);
            return { sign, surface: isosurface(drawn, structure.latticeVectors, drawnLevel, sign) };
          }),
    [drawn, structure, drawnLevel, signKey],
  );
  const hasBothSigns = signs.length === 2;
  // Negative values are not set to zero: the integral needs them, and in a difference of densities they are
  // real.
  const isBelowZero = hasBothSigns && part.unit === UNITS['charge-density'];
  const size = shortValue(signs[0] === -1 ? -level : level);
  const levelText = withUnit(hasBothSigns ? t('bothSigns', { level: size }) : size, part.unit);
  return (
    <div className={classes.columns}>
      <section className={classes.column} aria-label={t('surfaceOf', { formula: formulaText(formula) })}>
        <div className={classes.slider}>
          <span>{t('level')}</span>
          <Slider
            size="sm"
            min={0}
            max={LEVEL_STEPS}
            value={step}
            onChange={setStep}
            onChangeEnd={setDrawnStep}
            label={null}
            thumbLabel={t('levelName')}
            scale={(value) => Number(levelAt(scale, value).toPrecision(3))}
          />
          <output className={classes.value}>{levelText}</output>
        </div>
        <p className="uc-fine">
          {joined(
            t('encloses', { share: (100 * enclosedShare(numbers, level)).toFixed(0) }),
            hasBothSigns && t('signs'),
            isBelowZero && t('belowZero'),
            drawn !== grid && t('coarser', { sizes: drawn.sizes.join(' × ') }),
            surfaces.every(({ surface }) => surface.faces.length === 0) && t('noSurface'),
          )}
        </p>
        <PanelBoundary>
          <VolumeStage
            structure={structure}
            surfaces={surfaces}
            label={t('stageLabel', { formula: formulaText(formula), level: levelText })}
            name={`${name}-isosurface`}
          />
        </PanelBoundary>
      </section>
      <section className={classes.column} aria-label={t('slice')}>
        <SlicePlot
          grid={grid}
          cell={structure.latticeVectors}
          formula={formulaText(formula)}
          unit={part.unit}
          hasBothSigns={hasBothSigns}
          name={`${name}-slice`}
        />
      </section>
    </div>
  );
}
