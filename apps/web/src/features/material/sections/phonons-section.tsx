/** Calculated phonons, one block per functional: bands and density of states, thermal properties, animated modes. */
import { useQuery } from '@tanstack/react-query';
import type { MaterialPhononsOfFunctional } from '@unitcell/contract/matdata';
import { ErrorPanel } from '../../../components/failure.tsx';
import { HowItWorks } from '../../../components/tool-page/tool-page.tsx';
import { ToolbarButtons } from '../../../components/toolbar-buttons.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { downloadText } from '../../../lib/download.ts';
import { PhononsInMotion, ThermalPlot } from '../../../viz/phonons/phonon-plots.tsx';
import { phononModesRequest, phononsRequest } from '../material-requests.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import classes from '../material.module.css';
import { SourcedSection } from './sourced-section.tsx';
import { phononTexts } from '../../../viz/phonons/phonon-figures.ts';

const sectionTexts = defineTexts('material-phonons', {
  lead: ['Lattice vibrations, calculated.', '计算得到的晶格振动。'],
  charges: [
    'Longitudinal and transverse optical modes are split by Born charges.',
    '纵、横光学模式因 Born 有效电荷而分裂。',
  ],
  noCharges: [
    'Without Born charges: longitudinal and transverse optical modes meet at Γ.',
    '未计入 Born 有效电荷：纵、横光学模式在 Γ 点简并。',
  ],
  ofFunctional: ['Calculated, {{functional}}', '计算，{{functional}}'],
  json: ['JSON', 'JSON'],
  files: ['Files of the phonons', '声子文件'],
  noModes: [
    'The source gives neither force constants nor eigenvectors, so the modes cannot be animated.',
    '来源既未给出力常数，也未给出本征矢量，无法播放振动模式。',
  ],
});

const title = { en: 'Phonons', zh: '声子' };

interface OfFunctionalProps extends MaterialSectionProps {
  readonly phonons: MaterialPhononsOfFunctional;
}

function OfFunctional({ material, phonons }: OfFunctionalProps) {
  const { t } = useTexts(sectionTexts);
  const { t: tp } = useTexts(phononTexts);
  const { struct_id: id } = material;
  const { functional, has_modes: hasModes, has_charges: hasCharges } = phonons;
  const name = `${id}-${functional.toLowerCase()}`;
  return (
    <>
      <h3 className={classes.subheading}>{t('ofFunctional', { functional })}</h3>
      <PhononsInMotion
        phonons={phonons}
        name={`${name}-phonons`}
        modesAt={hasModes ? (q) => phononModesRequest(id, functional, q) : null}
        // Without force constants the source has modes only at some named points.
        takesAny={hasCharges !== null}
      >
        {hasCharges !== null && (
          <p className={classes.bandsHint}>{t(hasCharges ? 'charges' : 'noCharges')}</p>
        )}
        <h3 className={classes.subheading}>{tp('modes')}</h3>
        {!hasModes && <p className={classes.bandsHint}>{t('noModes')}</p>}
      </PhononsInMotion>
      {phonons.thermal && (
        <>
          <h3 className={classes.subheading}>{tp('thermal')}</h3>
          <ThermalPlot phonons={phonons} name={`${name}-thermal`} />
        </>
      )}
    </>
  );
}

function PhononsSection({ material }: MaterialSectionProps) {
  const { t, language } = useTexts(sectionTexts);
  const answer = useQuery(phononsRequest(material.struct_id));
  const all = answer.data?.phonons ?? [];
  return (
    <SourcedSection
      material={material}
      of={['phonons']}
      id="phonons"
      title={title[language]}
      lead={
        <>
          {t('lead')} <HowItWorks guide="material#phonons" />
        </>
      }
      tools={
        <ToolbarButtons
          label={t('files')}
          buttons={[
            {
              id: 'json',
              label: t('json'),
              onClick: () =>
                downloadText(
                  `${material.formula}-${material.struct_id}-phonons.json`,
                  JSON.stringify({
                    sources: material.sources.filter(({ section }) => section === 'phonons'),
                    phonons: all,
                  }),
                  'application/json',
                ),
            },
          ]}
        />
      }
    >
      {answer.isError && <ErrorPanel error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.isPending && <div className={classes.waitingPhonons} aria-busy="true" />}
      {all.map((phonons) => (
        <OfFunctional key={phonons.functional} material={material} phonons={phonons} />
      ))}
    </SourcedSection>
  );
}

export const phononsSection: MaterialSection = {
  id: 'phonons',
  title,
  isPresent: ({ sources }) => sources.some(({ section }) => section === 'phonons'),
  Component: PhononsSection,
};
