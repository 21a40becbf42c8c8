/** Relaxes the conventional cell in the browser and updates the drawing. Loaded on demand. */
import type { MaterialDetail } from '@unitcell/contract/matdata';
import {
  type CifProvenance,
  type CifSetting,
  CrystalError,
  type Structure,
  writeCif,
} from '@unitcell/crystal';
import { averagedElements } from '@unitcell/potential';
import { useEffect, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import { FactTable } from '../../../components/fact-table.tsx';
import { useOriginFacts } from '../../../components/file-origin.tsx';
import { Notice, Warnings } from '../../../components/notice.tsx';
import { type Translate, useTexts } from '../../../i18n/texts.ts';
import { downloadText } from '../../../lib/download.ts';
import { formatNumber } from '../../../lib/format.ts';
import { RelaxationCoursePlot } from '../../../viz/relaxation-course/relaxation-course.tsx';
import buttons from '../material.module.css';
import { panelTexts } from './panel-texts.ts';
import type { RelaxFailure } from './relax-run.ts';
import { changeOf, energyGained, isBusy, type RelaxState, useRelaxation } from './use-relaxation.ts';
import classes from './relax.module.css';

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
  /** Element for the numbers, below the drawing, so that the drawing stays beside the buttons. */
  readonly below: HTMLElement | null;
  /** Called with the structure to draw, or null for the page's own. Keep it stable. */
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
              { id: 'step', name: t('step'), value: last?.step ?? 0 },
              {
                id: 'energy',
                name: t('energy'),
                value: formatNumber(last?.energyPerAtom, { decimals: 5 }),
                unit: 'eV/atom',
              },
              {
                id: 'force',
                name: t('force'),
                value: formatNumber(last?.largestForce, { decimals: 4 }),
                unit: 'eV/Å',
              },
            ]}
          />
          {change && (
            <FactTable
              title={t('change')}
              facts={[
                ...(['a', 'b', 'c'] as const).map((axis) => ({
                  id: axis,
                  name: <i>{axis}</i>,
                  value: percent(change[axis]),
                  unit: '%',
                })),
                { id: 'volume', name: t('volume'), value: percent(change.volume), unit: '%' },
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

/** Keeps the symmetry of the start, or uses P 1 if the cell has other axes. */
function cifOf(structure: Structure, setting: CifSetting, provenance: CifProvenance): string {
  try {
    return writeCif(structure, { setting, provenance });
  } catch (error) {
    if (error instanceof CrystalError) return writeCif(structure, { provenance });
    throw error;
  }
}
