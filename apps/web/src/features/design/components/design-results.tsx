/** The candidates of a search: figure, table, details, and submission to Run4U. */
import { Button, Skeleton } from '@mantine/core';
import type { DesignCandidate } from '@unitcell/contract/design';
import { PREDICTED_SCALE } from '@unitcell/contract/prediction/rules';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { fromPymatgenDict } from '@unitcell/crystal';
import type { ListCompleteness } from '@unitcell/contract/common';
import { CopyAsCode } from '../../../components/copy-as-code/copy-as-code.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { withScale } from '../../../components/energy-scale/energy-scale.tsx';
import { Formula, formulaText } from '../../../components/formula.tsx';
import { ErrorPanel, PanelBoundary } from '../../../components/failure.tsx';
import { NumberText } from '../../../components/number-text.tsx';
import { SentNotice } from '../../../components/run4u/sent-notice.tsx';
import { type Translate, useTexts } from '../../../i18n/texts.ts';
import { formatNumber, MISSING } from '../../../lib/format.ts';
import { predictedText } from '../../../lib/predicted-interval.ts';
import type { ChartColors } from '../../../viz/plot/chart-theme.ts';
import { Plot } from '../../../viz/plot/plot.tsx';
import { type Design, designRequest, useCandidate, useSendCandidates } from '../api/use-design.ts';
import { designTexts } from '../texts.ts';
import { candidateFigure } from '../view-model.ts';
import { Panel } from '../../../components/section.tsx';
import { downloadText } from '../../../lib/download.ts';
import { CrystalViewer } from '../../../viz/crystal-viewer/crystal-viewer.tsx';
import classes from './design.module.css';
import {
  type DataColumn,
  GAP_BAR_END,
  HULL_BAR_END,
  numberColumn,
  spaceGroupColumn,
} from '../../../components/data-table/columns.tsx';
import { missingIn } from '../../../components/completeness/completeness-note.tsx';

type Column = DataColumn<DesignCandidate>;

/** Candidates are predicted on this scale, so a material opens with energies that are comparable with theirs. */
const materialPath = (id: number): string => withScale(`/matdatades/${id}`, PREDICTED_SCALE);

/** A probability as a column, in percent. It is meaningless outside the model's domain. */
const chanceColumn = (id: string, header: string, chance: (row: DesignCandidate) => number): Column =>
  numberColumn(id, header, (row) => (row.predicted.familiarity === 'outside' ? null : 100 * chance(row)), {
    decimals: 0,
    method: 'design',
  });

/** Energy of the relaxed structure minus that of the initial one, both by the potential, eV/atom. */
const loweredBy = ({
  energy_after: after,
  energy_before: before,
}: NonNullable<DesignCandidate['relaxation']>): number => after - before;

/** Columns that show what the relaxation changed. */
const relaxationColumns = (t: Translate<(typeof designTexts)['en']>): readonly Column[] => [
  {
    id: 'hullBefore',
    header: t('hullBefore'),
    value: ({ relaxation }) => relaxation?.energy_above_hull_before ?? null,
    render: ({ relaxation }) =>
      relaxation ? formatNumber(relaxation.energy_above_hull_before) : t('notRelaxed'),
    isNumeric: true,
    method: 'design',
  },
  {
    id: 'relaxationEnergy',
    header: t('relaxationEnergy'),
    value: ({ relaxation }) => relaxation && loweredBy(relaxation),
    render: ({ relaxation }) => (relaxation ? formatNumber(loweredBy(relaxation), { decimals: 3 }) : MISSING),
    isNumeric: true,
    method: 'potential',
  },
  {
    id: 'volumeChange',
    header: t('volumeChange'),
    value: ({ relaxation }) => relaxation?.volume_change ?? null,
    render: ({ relaxation }) =>
      relaxation ? formatNumber(relaxation.volume_change, { decimals: 1 }) : MISSING,
    isNumeric: true,
    method: 'potential',
  },
];

/**
 * @param ions the working ions for which electrochemical windows were requested
 * @param isRelaxed whether any candidate was relaxed
 */
export const candidateColumns = (
  t: Translate<(typeof designTexts)['en']>,
  ions: readonly string[],
  completeness: ListCompleteness | undefined,
  isRelaxed: boolean,
): readonly Column[] => [
  { id: 'rank', header: t('rank'), value: ({ rank }) => rank, isNumeric: true, isKey: true },
  {
    id: 'formula',
    isKey: true,
    header: t('formula'),
    value: ({ formula }) => formula,
    render: ({ formula, known_struct_id: known }) => (
      <>
        <Formula text={formula} />
        {known !== null && (
          <Link className={classes.knownAs} to={materialPath(known)}>
            {t('knownAs')}
          </Link>
        )}
      </>
    ),
  },
  {
    id: 'hull',
    isKey: true,
    header: t('hull'),
    value: ({ energy_above_hull: energy }) => energy,
    render: ({ energy_above_hull: energy, formula }) => {
      const missing = missingIn(completeness, formula);
      const marked = (text: string): ReactNode =>
        missing === null ? text : <abbr title={t('lacking', { missing: formulaText(missing) })}>{text}</abbr>;
      // "≥ −0.087" is easily misread, so an energy below the hull is given in words.
      if (energy < 0)
        return marked(
          t(missing === null ? 'belowHull' : 'belowHullAtMost', { energy: formatNumber(-energy) }),
        );
      return (
        <>
          {missing !== null && marked('≥ ')}
          <NumberText value={energy} />
        </>
      );
    },
    isNumeric: true,
    barEnd: HULL_BAR_END,
    method: 'design',
  },
  ...(isRelaxed ? relaxationColumns(t) : []),
  { ...chanceColumn('within25', t('within25'), (row) => row.probability_within_25_mev), isKey: true },
  chanceColumn('within50', t('within50'), (row) => row.probability_within_50_mev),
  {
    id: 'energy',
    header: t('energy'),
    value: ({ predicted }) => predicted.formation_energy_per_atom.value,
    render: ({ predicted }) => predictedText(predicted, 'formation_energy_per_atom', 3),
    isNumeric: true,
    method: 'prediction',
  },
  {
    id: 'gap',
    header: t('gap'),
    value: ({ predicted }) => predicted.band_gap.value,
    render: ({ predicted }) => predictedText(predicted, 'band_gap', 2),
    isNumeric: true,
    barEnd: GAP_BAR_END,
    method: 'prediction',
  },
  ...ions.flatMap((ion): readonly Column[] => {
    const windowOf = ({ windows }: DesignCandidate) => windows.find((window) => window.ion === ion);
    return [
      numberColumn(`reduction-${ion}`, t('reduction', { ion }), (row) => windowOf(row)?.reduction_onset, {
        decimals: 2,
        method: 'design',
      }),
      {
        id: `oxidation-${ion}`,
        header: t('oxidation', { ion }),
        value: (row) => windowOf(row)?.oxidation_onset ?? null,
        render: (row) =>
          windowOf(row)?.oxidation_onset === null ? (
            '∞'
          ) : (
            <NumberText value={windowOf(row)?.oxidation_onset} decimals={2} />
          ),
        isNumeric: true,
        method: 'design',
      },
    ];
  }),
  {
    id: 'template',
    header: t('template'),
    value: ({ template }) => template.formula,
    render: ({ template }) => (
      <Link to={materialPath(template.struct_id)}>
        <Formula text={template.formula} />
      </Link>
    ),
  },
  spaceGroupColumn('space_group', t('spaceGroup'), ({ space_group: group }) => group),
  { id: 'nsites', header: t('nsites'), value: ({ nsites }) => nsites, isNumeric: true },
  {
    id: 'familiarity',
    header: t('familiarity'),
    value: ({ predicted }) => t(predicted.familiarity),
  },
  numberColumn('density', t('density'), ({ density }) => density, {
    decimals: 2,
    method: 'design',
    isHiddenByDefault: true,
  }),
  numberColumn('distance', t('distance'), ({ distance }) => distance, {
    decimals: 2,
    method: 'prediction',
    isHiddenByDefault: true,
  }),
];

interface CandidateViewProps {
  readonly runId: number;
  readonly candidate: DesignCandidate;
  readonly onClose: () => void;
}

/** One candidate: cell, template and file. */
function CandidateView({ runId, candidate, onClose }: CandidateViewProps) {
  const { t } = useTexts(designTexts);
  const { rank, formula, template, replaced, relaxation, relaxation_message: failure } = candidate;
  const found = useCandidate(runId, rank);
  const json = found.data?.structure;
  const structure = useMemo(() => (json ? fromPymatgenDict(json) : null), [json]);
  return (
    <section className={classes.candidate} aria-label={t('view', { formula: formulaText(formula) })}>
      <header className={`uc-row ${classes.candidateHead}`}>
        <h3>
          {rank}. <Formula text={formula} />
        </h3>
        <Button
          size="xs"
          variant="default"
          disabled={!found.data}
          onClick={() => found.data && downloadText(`${formula}-candidate-${rank}.cif`, found.data.cif)}
        >
          {t('cif')}
        </Button>
        <Button size="xs" variant="default" onClick={onClose}>
          {t('close')}
        </Button>
      </header>
      {found.isError && <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />}
      <Panel>
        {structure ? <CrystalViewer structure={structure} formula={formula} /> : <Skeleton height={360} />}
      </Panel>
      <p className={`uc-note ${classes.note}`}>
        {t(relaxation ? 'relaxedGuess' : 'guess', {
          template: formulaText(template.formula),
          scale: formatNumber(candidate.volume_ratio, { decimals: 2 }),
        })}{' '}
        {relaxation &&
          t('relaxedBy', {
            potential: relaxation.potential,
            steps: relaxation.steps,
            energy: formatNumber(loweredBy(relaxation), { decimals: 3 }),
            volume: formatNumber(relaxation.volume_change, { decimals: 1 }),
            before: formatNumber(relaxation.energy_above_hull_before),
            after: formatNumber(candidate.energy_above_hull),
          })}
        {failure} {replaced.map(({ from, to }) => t('replaced', { from, to })).join(', ')}{' '}
        <Link to={materialPath(template.struct_id)}>
          <Formula text={template.formula} />
        </Link>
      </p>
    </section>
  );
}

/** Number of best candidates submitted if none are selected; also the daily quota. */
const BEST = 3;

export function DesignResults({ design: { run, candidates, completeness } }: { readonly design: Design }) {
  const { t } = useTexts(designTexts);
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [openRank, setOpenRank] = useState<number | null>(null);
  const send = useSendCandidates(run.id);
  const ions = useMemo(() => candidates[0]?.windows.map(({ ion }) => ion) ?? [], [candidates]);
  const potential = candidates.find(({ relaxation }) => relaxation)?.relaxation?.potential;
  const isRelaxed = potential !== undefined;
  const columns = useMemo(
    () => candidateColumns(t, ions, completeness, isRelaxed),
    [t, ions, completeness, isRelaxed],
  );
  const figure = useCallback(
    (colors: ChartColors) =>
      candidateFigure(
        candidates,
        { rank: t('rank'), hull: t('hullAxis'), notRelaxed: t('notRelaxed') },
        colors,
      ),
    [candidates, t],
  );
  const [lowest] = candidates.toSorted((a, b) => a.energy_above_hull - b.energy_above_hull);
  const origin = t(isRelaxed ? 'relaxedOrigin' : 'origin', { model: run.model, potential: potential ?? '' });
  if (!lowest) return <p>{t('nothing')}</p>;
  const opened = candidates.find(({ rank }) => rank === openRank) ?? null;
  const ranks =
    chosen.length > 0 ? chosen.toSorted((a, b) => a - b) : candidates.slice(0, BEST).map(({ rank }) => rank);
  const selection = {
    isSelected: ({ rank }: DesignCandidate) => chosen.includes(rank),
    onToggle: ({ rank }: DesignCandidate) =>
      setChosen(chosen.includes(rank) ? chosen.filter((each) => each !== rank) : [...chosen, rank]),
    label: ({ formula }: DesignCandidate) => t('pick', { formula: formulaText(formula) }),
  };
  return (
    <div className={classes.results}>
      <figure className={classes.figure}>
        <Plot
          figure={figure}
          name={`design-${run.id}`}
          height={340}
          summary={t('figureSummary', {
            count: candidates.length,
            first: formulaText(lowest.formula),
            energy: formatNumber(1000 * lowest.energy_above_hull, { decimals: 0 }),
          })}
          onPoint={({ customdata }) => typeof customdata === 'number' && setOpenRank(customdata)}
        />
        <figcaption className={`uc-note ${classes.note}`}>{t('figure')}</figcaption>
      </figure>
      <div className={`uc-row ${classes.send}`}>
        <Button loading={send.isPending} onClick={() => send.mutate(ranks)}>
          {chosen.length > 0 ? t('send', { count: chosen.length }) : t('sendBest')}
        </Button>
        <CopyAsCode sent={designRequest(run.id)} />
        {send.data && <SentNotice answers={send.data} />}
      </div>
      {opened && (
        <PanelBoundary key={opened.rank}>
          <CandidateView runId={run.id} candidate={opened} onClose={() => setOpenRank(null)} />
        </PanelBoundary>
      )}
      <p className={`uc-note ${classes.note}`}>
        {origin} <Link to="/predict/model">{t('modelCard')}</Link>
      </p>
      <DataTable
        label={t('table')}
        rows={candidates}
        columns={columns}
        rowKey={({ rank }) => rank}
        selection={selection}
        onRowClick={({ rank }) => setOpenRank(rank)}
        isHighlighted={({ rank }) => rank === openRank}
        csvName={`design-${run.id}`}
        csvRemarks={[origin]}
      />
    </div>
  );
}
