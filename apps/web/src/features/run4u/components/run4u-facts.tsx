/** Facts beside a submission: what is expected of it, the calculation service, and its structure (spec §2.13). */
import { useQuery } from '@tanstack/react-query';
import { type CallAnswer, run4uExpect } from '@unitcell/contract/calls';
import type { PredictedInterval } from '@unitcell/contract/prediction';
import type { CalculationService, ShownStructure } from '@unitcell/contract/run4u';
import type { StructureJson } from '@unitcell/material';
import { FactTable } from '../../../components/fact-table.tsx';
import { SpaceGroup } from '../../../components/space-group.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import { formatCount, formatNumber, formatText } from '../../../lib/format.ts';
import { run4uServiceTexts } from '../service-texts.ts';
import { run4uTexts } from '../texts.ts';
import { aboutText, durationText, engineText, isPredicting, type T } from '../view-model.ts';
import classes from './run4u.module.css';

type Expected = CallAnswer<typeof run4uExpect>;

const half = ({ value, high }: PredictedInterval, decimals: number) => ({
  value: formatNumber(value, { decimals }),
  half: formatNumber(high - value, { decimals }),
});

function expectedTexts({ prediction }: Expected, t: T): readonly string[] {
  if (prediction === null) return [];
  const { hull } = prediction;
  const energy = hull && formatNumber(Math.abs(1000 * hull.energy_above_hull), { decimals: 0 });
  return [
    t('expectedEnergy', half(prediction.formation_energy_per_atom, 2)),
    ...(hull && energy !== null
      ? [
          hull.energy_above_hull >= 0
            ? t('expectedAbove', {
                energy,
                percent: formatNumber(100 * hull.probability_within_50_mev, { decimals: 0 }),
              })
            : t('expectedBelow', { energy }),
        ]
      : []),
    t('expectedGap', half(prediction.band_gap, 2)),
  ];
}

/** Shown before submission: the predicted values and an estimate of the calculation time. */
export function Expectation({ structure }: { readonly structure: StructureJson }) {
  const { t, language } = useTexts(run4uTexts);
  const { data } = useQuery({
    queryKey: ['run4u', 'expect', structure, language],
    retry: false,
    queryFn: async ({ signal }): Promise<Expected> =>
      expectOutcome(await callApi(run4uExpect, { structure }, { signal })),
  });
  // Optional information: unknown values are omitted and nothing waits for them.
  if (!data) return null;
  const time =
    data.seconds === null ? t('expectedNoTime') : t('expectedTime', { time: aboutText(data.seconds, t) });
  return (
    <section className={classes.expected} aria-label={t('expected')}>
      <span className="uc-caption">{t('expected')}</span>
      <p className={classes.expectedLine}>{[...expectedTexts(data, t), time].join('; ')}</p>
      {data.prediction?.familiarity === 'outside' && <p className={classes.hint}>{t('expectedOutside')}</p>}
      {data.prediction && <p className={classes.hint}>{t('expectedBy', { model: data.prediction.model })}</p>}
      {data.prediction_message !== '' && <p className={classes.hint}>{data.prediction_message}</p>}
    </section>
  );
}

/** Information before submission: engine, estimated time, and length of the queue. */
export function ServiceFacts({ service }: { readonly service: CalculationService }) {
  const { t } = useTexts(run4uServiceTexts);
  const { t: tr } = useTexts(run4uTexts);
  const { engine, is_paused: isPaused, wait_seconds: wait, waiting } = service;
  const begin =
    wait === 0 ? t('atOnce') : wait === null ? t('notKnown') : t('in', { time: durationText(wait, tr) });
  return (
    <div className={classes.service}>
      <FactTable
        title={t('title')}
        facts={[
          { id: 'engine', name: t('engine'), value: engine === null ? t('noEngine') : engineText(service) },
          {
            id: 'method',
            name: t('method'),
            value: isPredicting(service)
              ? t('methodOfPotential')
              : engine?.toLowerCase() === 'template'
                ? t('methodOfTemplate')
                : t('methodOf', { cutoff: formatNumber(service.cutoff, { decimals: 0 }) }),
          },
          { id: 'steps', name: t('steps'), value: t(isPredicting(service) ? 'stepsOfPotential' : 'stepsOf') },
          {
            id: 'queue',
            name: t('queue'),
            value: isPaused ? t('paused') : t('queueOf', { n: formatCount(waiting), count: waiting, begin }),
          },
          {
            id: 'time',
            name: t('time'),
            value: service.run_seconds
              .map(({ atoms, seconds }) => t('timeOf', { atoms, time: durationText(seconds, tr) }))
              .join(' · '),
          },
        ]}
      />
    </div>
  );
}

const SYSTEMS = [
  'triclinic',
  'monoclinic',
  'orthorhombic',
  'tetragonal',
  'trigonal',
  'hexagonal',
  'cubic',
] as const;

type Facts = Pick<ShownStructure, 'lattice' | 'symmetry'>;

/** The two tables of a structure: its cell and its symmetry. */
export function StructureFacts({ lattice, symmetry }: Partial<Facts>) {
  const { t } = useTexts(run4uTexts);
  const system = SYSTEMS.find((name) => name === symmetry?.crystal_system);
  const length = (id: 'a' | 'b' | 'c') => ({
    id,
    name: <i>{id}</i>,
    value: formatNumber(lattice?.[id], { decimals: 4 }),
    unit: 'Å',
  });
  const angle = (id: 'alpha' | 'beta' | 'gamma', symbol: string) => ({
    id,
    name: <i>{symbol}</i>,
    value: formatNumber(lattice?.[id], { decimals: 3 }),
    unit: '°',
  });
  return (
    <div className={classes.facts}>
      <FactTable
        title={t('cell')}
        facts={[
          length('a'),
          length('b'),
          length('c'),
          angle('alpha', 'α'),
          angle('beta', 'β'),
          angle('gamma', 'γ'),
          {
            id: 'volume',
            name: t('volume'),
            value: formatNumber(lattice?.volume, { decimals: 2 }),
            unit: 'Å³',
          },
        ]}
      />
      <FactTable
        title={t('symmetry')}
        facts={[
          { id: 'hall', name: t('hall'), value: formatText(symmetry?.hall) },
          {
            id: 'space-group',
            name: t('spaceGroup'),
            value: <SpaceGroup symbol={symmetry?.spacegroup ?? ''} />,
          },
          {
            id: 'point-group',
            name: t('pointGroup'),
            value: <SpaceGroup symbol={symmetry?.pointgroup ?? ''} />,
          },
          {
            id: 'crystal-system',
            name: t('crystalSystem'),
            value: system ? t(`crystal_${system}`) : formatText(symmetry?.crystal_system),
          },
        ]}
      />
    </div>
  );
}
