/** Columns of the tables of phases. */
import { type DataColumn, formulaColumn, HULL_BAR_END } from '../../components/data-table/columns.tsx';
import { Formula } from '../../components/formula.tsx';
import { NumberText } from '../../components/number-text.tsx';
import { SpaceGroup } from '../../components/space-group.tsx';
import type { openGasTexts } from '../../components/open-gas/texts.ts';
import type { Translate } from '../../i18n/texts.ts';
import { MISSING } from '../../lib/format.ts';
import type { phaseTexts } from './texts.ts';
import type { Phase } from './view-model.ts';

type T = Translate<(typeof phaseTexts)['en']>;

/**
 * @param isBound true if a missing compound could lie below the phase: its energy above the hull is then a lower bound
 * @param openTo elements exchanged with a reservoir; energies are then per atom of the other elements
 * @param isAtTemperature true for Gibbs energies, which have a source and a verdict
 */
export function phaseColumns(
  t: T,
  isBound: (formula: string) => boolean,
  openTo: string | null,
  ofGas: Translate<(typeof openGasTexts)['en']>,
  isAtTemperature: boolean,
): Record<'stable' | 'unstable', readonly DataColumn<Phase>[]> {
  const unit = openTo === null ? 'eV/atom' : ofGas('openUnit', { element: openTo });
  const formula = formulaColumn<Phase>('formula', t('formula'), (phase) => phase.formula, { isKey: true });
  const id: DataColumn<Phase> = {
    id: 'id',
    header: t('id'),
    value: (phase) => phase.id,
  };
  const spaceGroup: DataColumn<Phase> = {
    id: 'space_group',
    header: t('spaceGroup'),
    value: (phase) => phase.spaceGroup || null,
    render: (phase) => (phase.spaceGroup === '' ? MISSING : <SpaceGroup symbol={phase.spaceGroup} />),
  };
  const formationEnergy: DataColumn<Phase> = {
    id: 'formation_energy',
    isKey: true,
    header:
      openTo === null
        ? t(isAtTemperature ? 'gibbsAxis' : 'formationEnergy')
        : t('grandAxis', { element: openTo }),
    value: (phase) => phase.formationEnergy,
    render: (phase) => <NumberText value={phase.formationEnergy} />,
    isNumeric: true,
    ...(openTo === null && !isAtTemperature ? { method: 'formation' as const } : {}),
  };
  const aboveHull: DataColumn<Phase> = {
    id: 'e_hull',
    isKey: true,
    header: t(isAtTemperature ? 'gHull' : 'eHull', { unit }),
    value: (phase) => phase.aboveHull,
    render: (phase) => (
      <>
        {isBound(phase.formula) && <abbr title={t('eHullBound')}>≥ </abbr>}
        <NumberText value={phase.aboveHull} />
      </>
    ),
    isNumeric: true,
    barEnd: HULL_BAR_END,
    method: 'hull',
  };
  const decomposition: DataColumn<Phase> = {
    id: 'decomposition',
    header: t('decomposition'),
    value: (phase) => phase.decomposition,
    render: (phase) => <Mixture text={phase.decomposition} />,
  };
  const verdict: DataColumn<Phase> = {
    id: 'probability',
    isKey: true,
    header: t('verdict'),
    value: ({ gibbs, isStable }) => {
      if (gibbs === undefined || gibbs.error === 0) return null;
      const word = t(gibbs.isUndecided ? 'undecided' : isStable ? 'stable' : 'unstable');
      return gibbs.probability === null ? word : `${word} (${Math.round(100 * gibbs.probability)} %)`;
    },
  };
  if (isAtTemperature) {
    const source: DataColumn<Phase> = {
      id: 'gibbs_source',
      header: ofGas('gibbsSource'),
      value: ({ gibbs }) => gibbs?.source ?? null,
      render: ({ gibbs }) => gibbs && ofGas(`source_${gibbs.source}`),
    };
    const error: DataColumn<Phase> = {
      id: 'expected_error',
      header: ofGas('gibbsError', { unit }),
      value: ({ gibbs }) => gibbs?.error ?? null,
      render: ({ gibbs }) => (gibbs && gibbs.error > 0 ? <NumberText value={gibbs.error} /> : MISSING),
      isNumeric: true,
    };
    return {
      stable: [formula, id, formationEnergy, verdict, source, error, spaceGroup],
      unstable: [formula, id, aboveHull, verdict, source, decomposition, error, formationEnergy, spaceGroup],
    };
  }
  return {
    stable: [formula, id, spaceGroup, formationEnergy],
    unstable: [formula, id, spaceGroup, formationEnergy, aboveHull, decomposition],
  };
}

/** `0.6 Fe2O3 + 0.4 Li2O` with typeset formulas. */
export function Mixture({ text }: { readonly text: string }) {
  return text.split(' + ').map((term, index) => {
    const [amount, formula] = term.includes(' ') ? term.split(' ') : ['', term];
    return (
      <span key={term}>
        {index > 0 && ' + '}
        {amount} <Formula text={formula ?? ''} />
      </span>
    );
  });
}
