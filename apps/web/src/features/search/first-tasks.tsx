/** Starting points: recently opened materials, and typical questions linked to their answers. */
import { useState } from 'react';
import { Examples } from '../../components/examples.tsx';
import { formulaText } from '../../components/formula.tsx';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { recentVisits } from '../../lib/visits.ts';

const firstTaskTexts = defineTexts('first-tasks', {
  en: {
    title: 'Begin with a question:',
    recent: 'Recently viewed:',
    oxides: 'Which stable oxides have a gap of 3 eV or more?',
    powder: 'Which phase is in this powder?',
    coating: 'Does LiCoO₂ react with Li₂S?',
    predict: 'How stable would Li₆PS₅F be?',
  },
  zh: {
    title: '从一个问题开始：',
    recent: '最近浏览：',
    oxides: '哪些稳定氧化物的带隙不小于 3 eV？',
    powder: '这份粉末里有哪种物相？',
    coating: 'LiCoO₂ 与 Li₂S 会反应吗？',
    predict: 'Li₆PS₅F 会有多稳定？',
  },
});

const OXIDES = 'elements HAS "O" AND band_gap >= 3 AND energy_above_hull <= 0';

const TASKS = [
  ['oxides', `/matdata?${new URLSearchParams({ filter: OXIDES }).toString()}`],
  ['powder', '/xrd?sample'],
  ['coating', '/Interface_reaction?a=Li2S&b=LiCoO2'],
  ['predict', '/predict?formula=Li6PS5F'],
] as const;

export function FirstTasks() {
  const { t } = useTexts(firstTaskTexts);
  const [recent] = useState(recentVisits);
  return (
    <>
      {recent.length > 0 && (
        <Examples
          label={t('recent')}
          examples={recent.map(({ structId, formula }) => ({
            name: `${formulaText(formula)} (${structId})`,
            to: `/matdatades/${structId}`,
          }))}
        />
      )}
      <Examples label={t('title')} examples={TASKS.map(([name, to]) => ({ name: t(name), to }))} />
    </>
  );
}
