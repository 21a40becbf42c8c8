/** Relaxes the conventional cell in the browser and updates the drawing. Loaded on demand. */
import type { MaterialDetail } from '@unitcell/contract/matdata';
import {
  type CifProvenance,
  type CifSetting,
  CrystalError,
  type Structure,
  writeCif,
  cellVolume,
  latticeParameters,
} from '@unitcell/crystal';
import { averagedElements } from '@unitcell/potential';
import { useEffect, useMemo, useState, useCallback, useRef } from 'react';
import { createPortal } from 'react-dom';
import { fact, FactTable } from '../../../components/fact-table.tsx';
import { useOriginFacts } from '../../../components/file-origin.tsx';
import { Notice, Warnings } from '../../../components/notice.tsx';
import { defineTexts, type Translate, useTexts } from '../../../i18n/texts.ts';
import { downloadText } from '../../../lib/download.ts';
import { formatNumber } from '../../../lib/format.ts';
import { RelaxationCoursePlot } from '../../../viz/relaxation-course/relaxation-course.tsx';
import buttons from '../material.module.css';
import type { RelaxFailure, RelaxMessage, RelaxRequest, RelaxStep } from './relax-run.ts';
import classes from './relax.module.css';

const panelTexts = defineTexts('relax-panel', {
  en: {
    title: 'Relaxation in your browser',
    about:
      'Atoms and conventional cell move to the nearest minimum of the energy; the symmetry is kept. Predicted by SevenNet-0, a machine-learned potential, not calculated from first principles. It runs in your browser: nothing is uploaded. Start loads 3.4 MB.',
    start: 'Start',
    again: 'Start again',
    stop: 'Stop',
    loading: 'Loading the potential…',
    running: 'Relaxing…',
    stopped: 'Stopped at step {{steps}}.',
    converged: 'Relaxed in {{steps}} steps. Energy gained: {{gained}} meV/atom.',
    notConverged: 'Not converged in {{steps}} steps. Energy gained: {{gained}} meV/atom.',
    results: 'Course of the relaxation',
    step: 'Step',
    energy: 'Energy',
    force: 'Largest force',
    change: 'Change of the conventional cell',
    volume: 'volume',
    showOriginal: 'Show original',
    showRelaxed: 'Show relaxed',
    cif: 'Download CIF',
    warnScale:
      'The energy is on the scale of raw PBE of the Materials Project: do not compare it with the energies on this page. Lattice constants are within 1 % of PBE, which is itself up to 2 % above experiment.',
    warnDispersion: 'No dispersion forces: layered, molecular and rare-gas crystals expand.',
    warnMagnetic: 'Magnetic order and oxidation state of {{elements}} are a learned average.',
    warnChiral: 'The crystal may be chiral: mirror images differ by up to 2 meV/atom.',
    failNotLoaded: 'The potential could not be loaded. Check the connection and start again.',
    failOverlap: 'Two atoms are closer than any bond. Check the structure.',
    failIsolated: 'An atom has no neighbour within 5 Å: its energy would be meaningless.',
    failForce: 'A force is beyond 50 eV/Å, for which the potential was not trained.',
    failVolume: 'The volume changed by more than 30 %: this would be another crystal.',
    failSize: 'The browser does not have enough memory for this crystal.',
    failOther: 'The relaxation ended with an error. Start again.',
  },
  zh: {
    title: '浏览器内弛豫',
    about:
      '原子与惯用晶胞移动到最近的能量极小点，对称性保持不变。结果由机器学习势 SevenNet-0 预测，不是第一性原理计算。计算在您的浏览器中进行，不上传任何数据。点击“开始”将加载 3.4 MB。',
    start: '开始',
    again: '重新开始',
    stop: '停止',
    loading: '正在加载势函数…',
    running: '正在弛豫…',
    stopped: '已停止于第 {{steps}} 步。',
    converged: '弛豫完成，共 {{steps}} 步。能量降低 {{gained}} meV/atom。',
    notConverged: '{{steps}} 步内未收敛。能量降低 {{gained}} meV/atom。',
    results: '弛豫过程',
    step: '步数',
    energy: '能量',
    force: '最大力',
    change: '惯用晶胞的变化',
    volume: '体积',
    showOriginal: '显示原结构',
    showRelaxed: '显示弛豫后结构',
    cif: '下载 CIF',
    warnScale:
      '能量采用 Materials Project 未校正的 PBE 基准，不可与本页其他能量比较。晶格常数与 PBE 相差 1 % 以内，而 PBE 本身比实验值最多偏大 2 %。',
    warnDispersion: '不含色散力：层状、分子和稀有气体晶体会偏大。',
    warnMagnetic: '{{elements}} 的磁序与氧化态为学习到的平均。',
    warnChiral: '该晶体可能是手性的：两种镜像的能量最多相差 2 meV/atom。',
    failNotLoaded: '势函数未能加载。请检查网络后重新开始。',
    failOverlap: '有两个原子的距离小于任何化学键。请检查结构。',
    failIsolated: '有原子在 5 Å 内没有近邻，其能量没有意义。',
    failForce: '有力超过 50 eV/Å，超出该势函数的训练范围。',
    failVolume: '体积变化超过 30 %，结果将是另一种晶体。',
    failSize: '浏览器内存不足，无法计算该晶体。',
    failOther: '弛豫因错误中止。请重新开始。',
  },
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

function statusText({ is, course }: RelaxState, t: T): string {
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
      return t('converged', { steps, gained });
    case 'not-converged':
      return t('notConverged', { steps, gained });
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

interface RelaxPanelProps {
  readonly material: MaterialDetail;
  /** The conventional cell. */
  readonly start: Structure;
  /** Element below the drawing in which the numbers are shown, so that the drawing stays beside the buttons. */
  readonly below: HTMLElement | null;
  /** Called with the structure to draw, or null for that of the page. Must be referentially stable. */
  readonly onShow: (structure: Structure | null) => void;
}

export function RelaxPanel({ material, start, below, onShow }: RelaxPanelProps) {
  const { t } = useTexts(panelTexts);
  const { state, ...relaxing } = useRelaxation();
  const [isOriginal, setOriginal] = useState(false);
  const originFacts = useOriginFacts();
  const { structure } = state;
  const { hall, wyckoffs } = material.symmetry_data;
  const isOver = !isBusy(state) && structure !== null;

  useEffect(() => onShow(isOriginal ? null : structure), [onShow, isOriginal, structure]);
  useEffect(() => () => onShow(null), [onShow]);

  const download = (relaxed: Structure): void => {
    const facts = new Map(originFacts());
    const isLettered = wyckoffs.length === relaxed.sites.length;
    const provenance = {
      source: `Relaxed with the machine-learned potential SevenNet-0, not calculated from first principles. Start: ${facts.get('source') ?? ''}`,
      licence: facts.get('licence') ?? '',
      address: facts.get('address') ?? '',
    };
    downloadText(
      `${material.struct_id}-relaxed.cif`,
      cifOf(relaxed, { hallSymbol: hall, ...(isLettered && { wyckoffs }) }, provenance),
      'chemical/x-cif',
    );
  };
  return (
    <>
      <section className={classes.panel} aria-label={t('title')}>
        <p className={classes.about}>{t('about')}</p>
        <div className={classes.actions}>
          {isBusy(state) ? (
            <button type="button" className={buttons.button} onClick={relaxing.stop}>
              {t('stop')}
            </button>
          ) : (
            <button
              type="button"
              className={buttons.button}
              onClick={() => {
                setOriginal(false);
                relaxing.start({ structure: start, hall });
              }}
            >
              {t(state.is === 'ready' ? 'start' : 'again')}
            </button>
          )}
          {isOver && (
            <>
              <button type="button" className={buttons.button} onClick={() => setOriginal(!isOriginal)}>
                {t(isOriginal ? 'showRelaxed' : 'showOriginal')}
              </button>
              <button type="button" className={buttons.button} onClick={() => download(structure)}>
                {t('cif')}
              </button>
            </>
          )}
          <output className={classes.status}>{statusText(state, t)}</output>
        </div>
        {state.is === 'failed' && (
          <Notice kind="problem">{t(FAILURES[state.failure ?? 'other'] ?? 'failOther')}</Notice>
        )}
      </section>
      {state.course.length > 0 &&
        below &&
        createPortal(
          <RelaxResults
            state={state}
            start={start}
            isOver={isOver}
            name={`${material.struct_id}-relaxation`}
          />,
          below,
        )}
    </>
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
    <section className={classes.results} aria-label={t('results')}>
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

// ── State of a relaxation: its worker, the steps so far, and the change of energy and cell ──

export type CoursePoint = Omit<RelaxStep, 'structure'>;

export interface RelaxState {
  readonly is: 'ready' | 'loading' | 'running' | 'stopped' | 'converged' | 'not-converged' | 'failed';
  readonly course: readonly CoursePoint[];
  readonly structure: Structure | null;
  readonly isChiral: boolean;
  readonly failure: RelaxFailure | null;
}

export const READY: RelaxState = {
  is: 'ready',
  course: [],
  structure: null,
  isChiral: false,
  failure: null,
};

export const isBusy = ({ is }: RelaxState): boolean => is === 'loading' || is === 'running';

export function afterMessage(state: RelaxState, message: RelaxMessage): RelaxState {
  if (message.kind === 'failed') return { ...state, is: 'failed', failure: message.why };
  if (message.kind === 'ended')
    return { ...state, is: message.isConverged ? 'converged' : 'not-converged', isChiral: message.isChiral };
  const { structure, ...point } = message.step;
  return { ...state, is: 'running', course: [...state.course, point], structure };
}

export interface RelaxChange {
  /** Change in % of the start. */
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly volume: number;
}

export function changeOf(start: Structure, end: Structure): RelaxChange {
  const [from, to] = [latticeParameters(start.latticeVectors), latticeParameters(end.latticeVectors)];
  const percent = (after: number, before: number): number => 100 * (after / before - 1);
  return {
    a: percent(to.a, from.a),
    b: percent(to.b, from.b),
    c: percent(to.c, from.c),
    volume: percent(cellVolume(end.latticeVectors), cellVolume(start.latticeVectors)),
  };
}

/** Energy decrease in meV/atom. */
export const energyGained = (course: readonly CoursePoint[]): number =>
  1000 * ((course[0]?.energyPerAtom ?? 0) - (course.at(-1)?.energyPerAtom ?? 0));

export interface Relaxing {
  readonly state: RelaxState;
  readonly start: (request: RelaxRequest) => void;
  readonly stop: () => void;
}

/**
 * Runs one relaxation at a time in a worker, which is terminated when the relaxation ends or the component unmounts.
 */
export function useRelaxation(): Relaxing {
  const [state, setState] = useState(READY);
  const worker = useRef<Worker | null>(null);
  const end = useCallback((): void => {
    worker.current?.terminate();
    worker.current = null;
  }, []);
  useEffect(() => end, [end]);
  return {
    state,
    start(request) {
      end();
      setState({ ...READY, is: 'loading' });
      const made = new Worker(new URL('./relax.worker.ts', import.meta.url), { type: 'module' });
      worker.current = made;
      const take = (message: RelaxMessage): void => {
        if (worker.current !== made) return;
        setState((now) => afterMessage(now, message));
        if (message.kind !== 'step') end();
      };
      made.addEventListener('message', ({ data }: MessageEvent<RelaxMessage>) => take(data));
      made.addEventListener('error', () => take({ kind: 'failed', why: 'other' }));
      // A worker has no target origin; the rule is about windows.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      made.postMessage(request);
    },
    stop() {
      end();
      setState((now) => ({ ...now, is: now.course.length > 0 ? 'stopped' : 'ready' }));
    },
  };
}
