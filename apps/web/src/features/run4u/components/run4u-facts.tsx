/** Facts beside a submission: the expected results, the calculation service, and the structure (spec §2.13). */
import { useQuery } from '@tanstack/react-query';
import type { CallAnswer } from '@unitcell/contract';
import { run4uExpect } from '@unitcell/contract/calls';
import type { CalculationService, ShownStructure } from '@unitcell/contract/run4u';
import type { StructureJson } from '@unitcell/material';
import { fact, FactTable } from '../../../components/fact-table.tsx';
import { SpaceGroup } from '../../../components/space-group.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { answerTo } from '../../../lib/api-client.ts';
import { formatCount, formatNumber, formatText } from '../../../lib/format.ts';
import { predictedText } from '../../../lib/predicted-interval.ts';
import { run4uTexts } from '../texts.ts';
import { aboutText, durationText, engineText, isPredicting, type T } from '../view-model.ts';
import classes from './run4u.module.css';

/** Texts about the engine and the calculation time. */
export const run4uServiceTexts = defineTexts('run4u-service', {
  title: ['How it is calculated', '计算方式'],
  engine: ['Engine', '计算引擎'],
  noEngine: ['No engine installed: submissions stay queued', '尚未安装引擎，提交的结构将排队等待'],
  noEngineNotice: [
    'No calculation engine is installed on this server: submissions stay queued.',
    '本服务器尚未安装计算引擎，提交的结构将排队等待。',
  ],
  installEngine: ['An administrator can install one:', '管理员可执行以下命令安装：'],
  predictedNotice: [
    'Results are predicted by an interatomic potential within seconds.',
    '结果由原子间势在数秒内预测。',
  ],
  installProgram: [
    'For first-principles calculations an administrator can install ABINIT:',
    '如需第一性原理计算，管理员可安装 ABINIT：',
  ],
  method: ['Method', '方法'],
  methodOf: [
    'density functional theory, PBE, PAW; plane-wave cutoff {{cutoff}} eV',
    '密度泛函理论，PBE，PAW；平面波截断能 {{cutoff}} eV',
  ],
  methodOfTemplate: [
    'density functional theory, PBE, with a program of this site',
    '密度泛函理论，PBE，由本站提供的程序计算',
  ],
  methodOfPotential: [
    'machine-learned interatomic potential: predicted, not calculated from first principles',
    '机器学习原子间势：预测结果，并非第一性原理计算',
  ],
  steps: ['Steps', '步骤'],
  stepsOf: [
    'relaxation of cell and atoms, then total energy, bands and density of states',
    '弛豫晶胞与原子，再计算总能、能带结构与态密度',
  ],
  stepsOfPotential: [
    'relaxation of cell and atoms, comparison with known phases, then what you selected; no electronic bands',
    '弛豫晶胞与原子，与已知相比较，以及所选的其他性质；不含电子能带',
  ],
  queue: ['Queue', '排队'],
  queueOf_one: '{{n}} submission ahead; a new one starts {{begin}}',
  queueOf_other: [
    '{{n}} submissions ahead; a new one starts {{begin}}',
    '前面有 {{n}} 个提交；新提交{{begin}}开始',
  ],
  atOnce: ['immediately', '立即'],
  in: ['in about {{time}}', '约 {{time}}后'],
  notKnown: ['once an engine is installed', '待计算引擎就绪后'],
  paused: ['paused by an administrator; submissions stay queued', '管理员已暂停计算，提交的结构将等待'],
  time: ['Time', '用时'],
  timeOf_one: '{{atoms}} atom: about {{time}}',
  timeOf_other: ['{{atoms}} atoms: about {{time}}', '{{atoms}} 个原子约 {{time}}'],
  trySample: ['Try with a sample: silicon', '用示例试试：硅'],
});

type Expected = CallAnswer<typeof run4uExpect>;

function expectedTexts({ prediction }: Expected, t: T): readonly string[] {
  if (prediction === null) return [];
  const hull = prediction.familiarity === 'outside' ? null : prediction.hull;
  const energy = hull && formatNumber(Math.abs(1000 * hull.energy_above_hull), { decimals: 0 });
  return [
    t('expectedEnergy', { value: predictedText(prediction, 'formation_energy_per_atom', 2) }),
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
    t('expectedGap', { value: predictedText(prediction, 'band_gap', 2) }),
  ];
}

interface ExpectationProps {
  readonly structure: StructureJson;
  /** True for a prediction: no time is shown, because the server's estimate is for a first-principles calculation. */
  readonly isPrediction: boolean;
}

/** Shown before submission: the predicted values and an estimate of the calculation time. */
export function Expectation({ structure, isPrediction }: ExpectationProps) {
  const { t, language } = useTexts(run4uTexts);
  const { data } = useQuery({
    queryKey: ['run4u', 'expect', structure, language],
    retry: false,
    queryFn: ({ signal }): Promise<Expected> => answerTo(run4uExpect, { structure }, { signal }),
  });
  // Optional information: nothing waits for it, and unknown values are omitted.
  if (!data) return null;
  const time = isPrediction
    ? []
    : [data.seconds === null ? t('expectedNoTime') : t('expectedTime', { time: aboutText(data.seconds, t) })];
  const lines = [...expectedTexts(data, t), ...time];
  return (
    <section className={classes.expected} aria-label={t('expected')}>
      <span className="uc-caption">{t('expected')}</span>
      <p className={classes.expectedLine}>{lines.join('; ')}</p>
      {data.prediction?.familiarity === 'outside' && <p className="uc-hint">{t('expectedOutside')}</p>}
      {data.prediction && <p className="uc-hint">{t('expectedBy', { model: data.prediction.model })}</p>}
      {data.prediction_message !== '' && <p className="uc-hint">{data.prediction_message}</p>}
    </section>
  );
}

interface ServiceFactsProps {
  readonly service: CalculationService;
  readonly isPrediction: boolean;
}

/** Information before submission: engine, estimated time, and length of the queue. */
export function ServiceFacts({ service, isPrediction }: ServiceFactsProps) {
  const { t } = useTexts(run4uServiceTexts);
  const { t: tr } = useTexts(run4uTexts);
  const { engine, is_paused: isPaused, wait_seconds: wait, waiting } = service;
  const begin =
    wait === 0 ? t('atOnce') : wait === null ? t('notKnown') : t('in', { time: durationText(wait, tr) });
  // If a calculation engine is installed, version, queue and times are those of the engine.
  const isOwn = !isPrediction || isPredicting(service);
  const name = engine === null ? t('noEngine') : isOwn ? engineText(service) : 'SevenNet-0';
  return (
    <div className={classes.service}>
      <FactTable
        title={t('title')}
        facts={[
          fact(t('engine'), name),
          fact(
            t('method'),
            isPrediction
              ? t('methodOfPotential')
              : engine?.toLowerCase() === 'template'
                ? t('methodOfTemplate')
                : t('methodOf', { cutoff: formatNumber(service.cutoff, { decimals: 0 }) }),
          ),
          fact(t('steps'), t(isPrediction ? 'stepsOfPotential' : 'stepsOf')),
          ...(isOwn
            ? [
                fact(
                  t('queue'),
                  isPaused ? t('paused') : t('queueOf', { n: formatCount(waiting), count: waiting, begin }),
                ),
                fact(
                  t('time'),
                  service.run_seconds
                    .map(({ atoms, seconds }) =>
                      t('timeOf', { count: atoms, atoms, time: durationText(seconds, tr) }),
                    )
                    .join(' · '),
                ),
              ]
            : []),
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
  const length = (id: 'a' | 'b' | 'c') =>
    fact(<i>{id}</i>, formatNumber(lattice?.[id], { decimals: 4 }), 'Å');
  const angle = (id: 'alpha' | 'beta' | 'gamma', symbol: string) =>
    fact(<i>{symbol}</i>, formatNumber(lattice?.[id], { decimals: 3 }), '°');
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
          fact(t('volume'), formatNumber(lattice?.volume, { decimals: 2 }), 'Å³'),
        ]}
      />
      <FactTable
        title={t('symmetry')}
        facts={[
          fact(t('hall'), formatText(symmetry?.hall)),
          fact(t('spaceGroup'), <SpaceGroup symbol={symmetry?.spacegroup ?? ''} />),
          fact(t('pointGroup'), <SpaceGroup symbol={symmetry?.pointgroup ?? ''} />),
          fact(t('crystalSystem'), system ? t(`crystal_${system}`) : formatText(symmetry?.crystal_system)),
        ]}
      />
    </div>
  );
}
