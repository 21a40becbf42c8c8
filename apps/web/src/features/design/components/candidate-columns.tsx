import type { DesignCandidate } from '@unitcell/contract/design';
import type { ListCompleteness } from '@unitcell/contract/phase-diagram';
import type { PredictedInterval } from '@unitcell/contract/prediction';
import { Link } from 'react-router-dom';
import { type DataColumn, GAP_BAR_END, HULL_BAR_END } from '../../../components/data-table/columns.ts';
import { missingIn } from '../../../components/completeness/missing-in.ts';
import { Formula, formulaText } from '../../../components/formula.tsx';
import { SpaceGroup } from '../../../components/space-group.tsx';
import type { Translate } from '../../../i18n/texts.ts';
import { formatNumber, MISSING } from '../../../lib/format.ts';
import type { designTexts } from '../texts.ts';
import classes from './design.module.css';

type Column = DataColumn<DesignCandidate>;

const percent = (share: number): string => formatNumber(100 * share, { decimals: 0 });

/** The probability is meaningless outside the model's domain. */
const chanceText = (share: number, { familiarity }: DesignCandidate['predicted']): string =>
  familiarity === 'outside' ? MISSING : percent(share);

/** A value with half the width of its interval: −2.31 ± 0.08. */
const withInterval = ({ value, high }: PredictedInterval, decimals: number): string =>
  `${formatNumber(value, { decimals })} ± ${formatNumber(high - value, { decimals })}`;

/** @param ions the requested working ions of windows */
export const candidateColumns = (
  t: Translate<(typeof designTexts)['en']>,
  ions: readonly string[],
  completeness: ListCompleteness | undefined,
): readonly Column[] => [
  { id: 'rank', header: t('rank'), value: ({ rank }) => rank, isNumeric: true },
  {
    id: 'formula',
    header: t('formula'),
    value: ({ formula }) => formula,
    render: ({ formula, known_struct_id: known }) => (
      <>
        <Formula text={formula} />
        {known !== null && (
          <Link className={classes.knownAs} to={`/matdatades/${known}`}>
            {t('knownAs')}
          </Link>
        )}
      </>
    ),
  },
  {
    id: 'hull',
    header: t('hull'),
    value: ({ energy_above_hull: energy }) => energy,
    render: ({ energy_above_hull: energy, formula }) => {
      const missing = missingIn(completeness, formula);
      return (
        <>
          {missing !== null && <abbr title={t('lacking', { missing: formulaText(missing) })}>≥ </abbr>}
          {formatNumber(energy)}
        </>
      );
    },
    isNumeric: true,
    barEnd: HULL_BAR_END,
    method: 'design',
  },
  {
    id: 'within25',
    header: t('within25'),
    value: ({ probability_within_25_mev: chance }) => chance,
    render: ({ probability_within_25_mev: chance, predicted }) => chanceText(chance, predicted),
    isNumeric: true,
    method: 'design',
  },
  {
    id: 'within50',
    header: t('within50'),
    value: ({ probability_within_50_mev: chance }) => chance,
    render: ({ probability_within_50_mev: chance, predicted }) => chanceText(chance, predicted),
    isNumeric: true,
    method: 'design',
  },
  {
    id: 'energy',
    header: t('energy'),
    value: ({ predicted }) => predicted.formation_energy_per_atom.value,
    render: ({ predicted }) => withInterval(predicted.formation_energy_per_atom, 3),
    isNumeric: true,
    method: 'prediction',
  },
  {
    id: 'gap',
    header: t('gap'),
    value: ({ predicted }) => predicted.band_gap.value,
    render: ({ predicted }) => withInterval(predicted.band_gap, 2),
    isNumeric: true,
    barEnd: GAP_BAR_END,
    method: 'prediction',
  },
  ...ions.map(
    (ion): Column => ({
      id: `window-${ion}`,
      header: t('windowOf', { ion }),
      value: ({ windows }) => windows.find((window) => window.ion === ion)?.reduction_onset ?? null,
      render: ({ windows }) => {
        const window = windows.find((each) => each.ion === ion);
        if (!window) return '-';
        const end =
          window.oxidation_onset === null ? '∞' : formatNumber(window.oxidation_onset, { decimals: 2 });
        return `${formatNumber(window.reduction_onset, { decimals: 2 })} – ${end}`;
      },
      isNumeric: true,
      method: 'design',
    }),
  ),
  {
    id: 'template',
    header: t('template'),
    value: ({ template }) => template.formula,
    render: ({ template }) => (
      <Link to={`/matdatades/${template.struct_id}`}>
        <Formula text={template.formula} />
      </Link>
    ),
  },
  {
    id: 'space_group',
    header: t('spaceGroup'),
    value: ({ space_group: group }) => group,
    render: ({ space_group: group }) => <SpaceGroup symbol={group} />,
  },
  { id: 'nsites', header: t('nsites'), value: ({ nsites }) => nsites, isNumeric: true },
  {
    id: 'familiarity',
    header: t('familiarity'),
    value: ({ predicted }) => t(predicted.familiarity),
  },
  {
    id: 'density',
    header: t('density'),
    value: ({ density }) => density,
    render: ({ density }) => formatNumber(density, { decimals: 2 }),
    isNumeric: true,
    method: 'design',
    isHiddenByDefault: true,
  },
  {
    id: 'distance',
    header: t('distance'),
    value: ({ distance }) => distance,
    render: ({ distance }) => formatNumber(distance, { decimals: 2 }),
    isNumeric: true,
    method: 'prediction',
    isHiddenByDefault: true,
  },
];
