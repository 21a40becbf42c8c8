/** Relaxes the conventional cell in the browser and updates the drawing. Loaded on demand. */
import { Button, NativeSelect, Skeleton, Slider } from '@mantine/core';
import {
  type CifProvenance,
  type CifSetting,
  CrystalError,
  type Structure,
  writeCif,
} from '@unitcell/crystal';
import { averagedElements } from '@unitcell/potential';
import { useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { PanelBoundary } from '../../components/failure.tsx';
import { fact, FactTable } from '../../components/fact-table.tsx';
import { useOriginFacts } from '../../components/file-origin.tsx';
import { Notice, Warnings } from '../../components/notice.tsx';
import { defineTexts, type Translate, useTexts } from '../../i18n/texts.ts';
import { downloadText } from '../../lib/download.ts';
import { formatNumber } from '../../lib/format.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { RelaxationCoursePlot } from '../relaxation-course/relaxation-course.tsx';
import { type Distorted, distortedBy, type RelaxFailure } from './relax-run.ts';
import { changeOf, energyGained, isBusy, type RelaxState, useRelaxation } from './relax-state.ts';
import classes from './relax.module.css';

const SolvedPhonons = lazyPart(async () => (await import('../phonons/phonon-plots.tsx')).SolvedPhonons);

/** px */
const PHONONS_HEIGHT = 900;

const panelTexts = defineTexts('relax-panel', {
  title: ['Relaxation in your browser', '浏览器内弛豫'],
  about: [
    'Atoms and conventional cell move to the nearest minimum of the energy; the symmetry is kept. Predicted by SevenNet-0, a machine-learned potential, not calculated from first principles. It runs in your browser: nothing is uploaded. Start loads 3.4 MB. Strain the cell or displace an atom first to see stress and forces, and how it returns.',
    '原子与惯用晶胞移动到最近的能量极小点，对称性保持不变。结果由机器学习势 SevenNet-0 预测，不是第一性原理计算。计算在您的浏览器中进行，不上传任何数据。点击“开始”将加载 3.4 MB。可先拉伸晶胞或移动原子，查看应力与受力，再看它如何恢复。',
  ],
  distort: ['Distort first', '先施加形变'],
  wholeCell: ['Cell, all axes', '晶胞，所有轴'],
  axis: ['Cell, axis {{axis}}', '晶胞，{{axis}} 轴'],
  atom: ['Atom {{number}}, {{element}}', '原子 {{number}}，{{element}}'],
  strain: ['Strain (%)', '应变 (%)'],
  displacement: ['Displacement along a (Å)', '沿 a 轴的位移 (Å)'],
  still: ['As distorted', '形变后'],
  normalStress: ['Stress xx, yy, zz (tension positive)', '应力 xx, yy, zz（拉伸为正）'],
  shearStress: ['Stress yz, xz, xy', '应力 yz, xz, xy'],
  start: ['Start', '开始'],
  again: ['Start again', '重新开始'],
  stop: ['Stop', '停止'],
  loading: ['Loading the potential…', '正在加载势函数…'],
  running: ['Relaxing…', '正在弛豫…'],
  stopped: ['Stopped at step {{steps}}.', '已停止于第 {{steps}} 步。'],
  converged_one: 'Relaxed in {{steps}} step. Energy gained: {{gained}} meV/atom.',
  converged_other: [
    'Relaxed in {{steps}} steps. Energy gained: {{gained}} meV/atom.',
    '弛豫完成，共 {{steps}} 步。能量降低 {{gained}} meV/atom。',
  ],
  notConverged_one: 'Not converged in {{steps}} step. Energy gained: {{gained}} meV/atom.',
  notConverged_other: [
    'Not converged in {{steps}} steps. Energy gained: {{gained}} meV/atom.',
    '{{steps}} 步内未收敛。能量降低 {{gained}} meV/atom。',
  ],
  results: ['Course of the relaxation', '弛豫过程'],
  step: ['Step', '步数'],
  energy: ['Energy', '能量'],
  force: ['Largest force', '最大力'],
  change: ['Change of the conventional cell', '惯用晶胞的变化'],
  volume: ['volume', '体积'],
  showOriginal: ['Show original', '显示原结构'],
  showRelaxed: ['Show relaxed', '显示弛豫后结构'],
  cif: ['Download CIF', '下载 CIF'],
  phonons: ['Phonon modes', '声子模式'],
  phononsBelow: ['The phonon modes are below the drawing.', '声子模式显示在图的下方。'],
  preparing: ['Preparing the displacements…', '正在准备位移…'],
  displacing: [
    'Phonons: displacement {{number}} of {{count}}…',
    '声子：第 {{number}} 个位移，共 {{count}} 个…',
  ],
  aboutPhonons: [
    'Predicted by SevenNet-0, like the relaxation: forces after small displacements of the atoms, for the primitive cell. Without charges: longitudinal and transverse optical modes meet at Γ.',
    '与弛豫一样由 SevenNet-0 预测：由原子微小位移后的受力得到，针对原胞。未计入电荷：纵、横光学模式在 Γ 点简并。',
  ],
  failPhononSize: [
    'Phonons are calculated here for at most 100 atoms in the primitive cell.',
    '在此只能计算原胞不超过 100 个原子的声子。',
  ],
  failPhonons: ['The phonons ended with an error. Try again.', '声子计算因错误中止。请重试。'],
  warnScale: [
    'The energy is on the scale of raw PBE of the Materials Project: do not compare it with the energies on this page. Lattice constants are within 1 % of PBE, which is itself up to 2 % above experiment.',
    '能量采用 Materials Project 未校正的 PBE 基准，不可与本页其他能量比较。晶格常数与 PBE 相差 1 % 以内，而 PBE 本身比实验值最多偏大 2 %。',
  ],
  warnDispersion: [
    'No dispersion forces: layered, molecular and rare-gas crystals expand.',
    '不含色散力：层状、分子和稀有气体晶体会偏大。',
  ],
  warnMagnetic: [
    'Magnetic order and oxidation state of {{elements}} are a learned average.',
    '{{elements}} 的磁序与氧化态为学习到的平均。',
  ],
  warnChiral: [
    'The crystal may be chiral: all results are averages over it and its mirror image.',
    '该晶体可能是手性的：所有结果均取其自身与镜像的平均。',
  ],
  failNotLoaded: [
    'The potential could not be loaded. Check the connection and start again.',
    '势函数未能加载。请检查网络后重新开始。',
  ],
  failOverlap: [
    'Two atoms are closer than any bond. Check the structure.',
    '有两个原子的距离小于任何化学键。请检查结构。',
  ],
  failIsolated: [
    'An atom has no neighbour within 5 Å: its energy would be meaningless. Check the structure.',
    '有原子在 5 Å 内没有近邻，其能量没有意义。请检查结构。',
  ],
  failForce: [
    'A force is beyond 50 eV/Å, for which the potential was not trained.',
    '有力超过 50 eV/Å，超出该势函数的训练范围。',
  ],
  failVolume: [
    'The volume changed by more than 30 %: this would be another crystal.',
    '体积变化超过 30 %，结果将是另一种晶体。',
  ],
  failSize: ['The browser does not have enough memory for this crystal.', '浏览器内存不足，无法计算该晶体。'],
  failOther: ['The relaxation ended with an error. Start again.', '弛豫因错误中止。请重新开始。'],
});

type T = Translate<(typeof panelTexts)['en']>;
type FailText = Extract<Parameters<T>[0], `fail${string}`>;

const FAILURES: Partial<Record<RelaxFailure, FailText>> = {
  'model-file': 'failNotLoaded',
  'overlapping-atoms': 'failOverlap',
  'isolated-atom': 'failIsolated',
  'large-force': 'failForce',
  'volume-change': 'failVolume',
  'too-large': 'failSize',
};

const PHONON_FAILURES: typeof FAILURES = { 'model-file': 'failNotLoaded', 'too-large': 'failPhononSize' };

function statusText({ is, course, phonons }: RelaxState, t: T): string {
  if (phonons?.is === 'running')
    return phonons.count === 0
      ? t('preparing')
      : t('displacing', { number: phonons.number, count: phonons.count });
  if (phonons?.is === 'solved') return t('phononsBelow');
  const steps = course.at(-1)?.step ?? 0;
  const gained = formatNumber(energyGained(course), { decimals: 1 });
  switch (is) {
    case 'loading':
      return t('loading');
    case 'running':
      return t('running');
    case 'stopped':
      return t('stopped', { steps });
    case 'converged':
      return t('converged', { count: steps, steps, gained });
    case 'not-converged':
      return t('notConverged', { count: steps, steps, gained });
    default:
      return '';
  }
}

function warningsOf(start: Structure, { isChiral }: RelaxState, t: T): readonly string[] {
  const averaged = averagedElements(start);
  return [
    t('warnScale'),
    t('warnDispersion'),
    ...(averaged.length > 0 ? [t('warnMagnetic', { elements: averaged.join(', ') })] : []),
    ...(isChiral ? [t('warnChiral')] : []),
  ];
}

export interface RelaxedCrystal {
  /** Base name of exported files. */
  readonly name: string;
  /** The conventional cell. */
  readonly structure: Structure;
  /** Hall symbol of the preserved group. */
  readonly hall: string;
  /** Wyckoff letters of the sites, if they are known. */
  readonly wyckoffs?: readonly string[];
}

interface RelaxPanelProps {
  readonly crystal: RelaxedCrystal;
  /** Element below the drawing in which the numbers are shown, so that the drawing stays beside the buttons. */
  readonly below: HTMLElement | null;
  /** Called with the structure to draw, or null for that of the page. Must be referentially stable. */
  readonly onShow: (structure: Structure | null) => void;
}

export function RelaxPanel({ crystal, below, onShow }: RelaxPanelProps) {
  const { name, structure: start, hall, wyckoffs = [] } = crystal;
  const { t } = useTexts(panelTexts);
  const { state, still, ...relaxing } = useRelaxation();
  const [isOriginal, setOriginal] = useState(false);
  const originFacts = useOriginFacts();
  const { structure } = state;
  const isOver = !isBusy(state) && structure !== null;
  const [what, setWhat] = useState<Distorted>('cell');
  const [amount, setAmount] = useState(0);
  /** Hall symbol of the group that the relaxation has kept. */
  const [kept, setKept] = useState(hall);
  const first = useMemo(
    () => (amount === 0 ? start : distortedBy(start, what, amount)),
    [start, what, amount],
  );
  const groupOf = (target: Distorted, by: number): string => (target === 'cell' || by === 0 ? hall : 'P 1');
  const distort = (target: Distorted, by: number): void => {
    setWhat(target);
    setAmount(by);
    setOriginal(false);
    relaxing.evaluate({ structure: distortedBy(start, target, by), hall: groupOf(target, by) });
  };
  const modes = useRef<HTMLElement>(null);
  const drawn = isOriginal ? null : (structure ?? first);

  useEffect(() => onShow(drawn), [onShow, drawn]);
  useEffect(() => () => onShow(null), [onShow]);

  const download = (relaxed: Structure): void => {
    const facts = new Map(originFacts());
    const isLettered = kept === hall && wyckoffs.length === relaxed.sites.length;
    const provenance = {
      source: `Relaxed with the machine-learned potential SevenNet-0, not calculated from first principles. Start: ${facts.get('source') ?? name}`,
      licence: facts.get('licence') ?? '',
      address: facts.get('address') ?? '',
    };
    downloadText(
      `${name}-relaxed.cif`,
      cifOf(relaxed, { hallSymbol: kept, ...(isLettered && { wyckoffs }) }, provenance),
      'chemical/x-cif',
    );
  };
  return (
    <>
      <section className={`uc-panel uc-stack ${classes.panel}`} aria-label={t('title')}>
        <p className={`uc-note ${classes.about}`}>{t('about')}</p>
        <div className={`uc-row ${classes.actions}`}>
          {isBusy(state) ? (
            <Button variant="default" size="xs" onClick={relaxing.stop}>
              {t('stop')}
            </Button>
          ) : (
            <Button
              variant="default"
              size="xs"
              onClick={() => {
                const next = groupOf(what, amount);
                setOriginal(false);
                setKept(next);
                relaxing.start({ structure: first, hall: next });
              }}
            >
              {t(state.is === 'ready' ? 'start' : 'again')}
            </Button>
          )}
          {isOver && (
            <>
              <Button variant="default" size="xs" onClick={() => setOriginal(!isOriginal)}>
                {t(isOriginal ? 'showRelaxed' : 'showOriginal')}
              </Button>
              <Button variant="default" size="xs" onClick={() => download(structure)}>
                {t('cif')}
              </Button>
              {state.is === 'converged' && (
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => {
                    if (state.phonons?.is === 'solved') modes.current?.scrollIntoView({ block: 'start' });
                    else relaxing.solvePhonons();
                  }}
                >
                  {t('phonons')}
                </Button>
              )}
            </>
          )}
          <output className={classes.status}>{statusText(state, t)}</output>
        </div>
        {!isBusy(state) && <Distortion start={start} what={what} amount={amount} onDistort={distort} />}
        {still && state.course.length === 0 && (
          <FactTable
            title={t('still')}
            facts={[
              fact(t('energy'), formatNumber(still.energyPerAtom, { decimals: 5 }), 'eV/atom'),
              fact(t('force'), formatNumber(still.largestForce, { decimals: 4 }), 'eV/Å'),
              fact(t('normalStress'), gigapascals(still.stress.slice(0, 3)), 'GPa'),
              fact(t('shearStress'), gigapascals(still.stress.slice(3)), 'GPa'),
            ]}
          />
        )}
        {state.is === 'failed' && (
          <Notice kind="problem">{t(FAILURES[state.failure ?? 'other'] ?? 'failOther')}</Notice>
        )}
        {state.phonons?.is === 'failed' && (
          <Notice kind="problem">{t(PHONON_FAILURES[state.phonons.why] ?? 'failPhonons')}</Notice>
        )}
      </section>
      {state.course.length > 0 &&
        below &&
        createPortal(
          <>
            <RelaxResults
              state={state}
              start={start}
              isOver={state.is !== 'running' && structure !== null}
              name={`${name}-relaxation`}
            />
            {state.phonons?.is === 'solved' && (
              <section ref={modes} className={`uc-stack ${classes.results}`} aria-label={t('phonons')}>
                <h3>{t('phonons')}</h3>
                <p className="uc-hint">{t('aboutPhonons')}</p>
                <PanelBoundary waiting={<Skeleton height={PHONONS_HEIGHT} />}>
                  <SolvedPhonons phonons={state.phonons.phonons} name={`${name}-relaxed-phonons`} />
                </PanelBoundary>
              </section>
            )}
          </>,
          below,
        )}
    </>
  );
}

const gigapascals = (values: readonly number[]): string =>
  values.map((value) => formatNumber(value, { decimals: 2 })).join(', ');

interface DistortionProps {
  readonly start: Structure;
  readonly what: Distorted;
  readonly amount: number;
  readonly onDistort: (what: Distorted, amount: number) => void;
}

const AXES = ['a', 'b', 'c'] as const;
const LARGEST_AMOUNT = 5;

/** Chooses what to distort, and by how much. */
function Distortion({ start, what, amount, onDistort }: DistortionProps) {
  const { t } = useTexts(panelTexts);
  const targets: readonly (readonly [label: string, Distorted])[] = [
    [t('wholeCell'), 'cell'],
    ...AXES.map((axis, index) => [t('axis', { axis }), index as 0 | 1 | 2] as const),
    ...start.sites.map(
      ({ species }, site) =>
        [t('atom', { number: site + 1, element: species[0]?.element ?? '' }), { site }] as const,
    ),
  ];
  const isAtom = typeof what === 'object';
  const label = t(isAtom ? 'displacement' : 'strain');
  const shown = formatNumber(isAtom ? amount / 10 : amount, { decimals: isAtom ? 2 : 1 });
  return (
    <div className={`uc-row ${classes.actions}`}>
      <NativeSelect
        label={t('distort')}
        value={String(targets.findIndex(([, target]) => JSON.stringify(target) === JSON.stringify(what)))}
        data={targets.map(([text], index) => ({ value: String(index), label: text }))}
        onChange={(event) => onDistort(targets[Number(event.currentTarget.value)]?.[1] ?? 'cell', amount)}
      />
      <div className={classes.amount}>
        <span>
          {label} <b>{shown}</b>
        </span>
        <Slider
          startPointValue={0}
          min={-LARGEST_AMOUNT}
          max={LARGEST_AMOUNT}
          step={0.5}
          value={amount}
          label={null}
          onChange={(value) => onDistort(what, value)}
          thumbLabel={label}
        />
      </div>
    </div>
  );
}

interface RelaxResultsProps {
  readonly state: RelaxState;
  readonly start: Structure;
  readonly isOver: boolean;
  /** Base name of exported files. */
  readonly name: string;
}

function RelaxResults({ state, start, isOver, name }: RelaxResultsProps) {
  const { t } = useTexts(panelTexts);
  const { course, structure } = state;
  const last = course.at(-1);
  const change = isOver && structure ? changeOf(start, structure) : null;
  const percent = (value: number): string => `${value > 0 ? '+' : ''}${formatNumber(value, { decimals: 2 })}`;
  const drawn = useMemo(
    () => ({
      energies: course.map(({ energyPerAtom }) => energyPerAtom),
      forces: course.map(({ largestForce }) => largestForce),
    }),
    [course],
  );
  return (
    <section className={`uc-stack ${classes.results}`} aria-label={t('results')}>
      <div className={classes.course}>
        <div className={classes.tables}>
          <FactTable
            title={t('results')}
            facts={[
              fact(t('step'), last?.step ?? 0),
              fact(t('energy'), formatNumber(last?.energyPerAtom, { decimals: 5 }), 'eV/atom'),
              fact(t('force'), formatNumber(last?.largestForce, { decimals: 4 }), 'eV/Å'),
            ]}
          />
          {change && (
            <FactTable
              title={t('change')}
              facts={[
                ...(['a', 'b', 'c'] as const).map((axis) => fact(<i>{axis}</i>, percent(change[axis]), '%')),
                fact(t('volume'), percent(change.volume), '%'),
              ]}
            />
          )}
        </div>
        <RelaxationCoursePlot course={drawn} name={name} />
      </div>
      {isOver && <Warnings warnings={warningsOf(start, state, t)} kind="note" />}
    </section>
  );
}

/**
 * The relaxed structure as CIF with the symmetry of the initial structure, or in P 1 if the cell has other axes than
 * its setting.
 */
function cifOf(structure: Structure, setting: CifSetting, provenance: CifProvenance): string {
  try {
    return writeCif(structure, { setting, provenance });
  } catch (error) {
    if (error instanceof CrystalError) return writeCif(structure, { provenance });
    throw error;
  }
}
