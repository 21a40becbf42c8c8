/** Calculated phonons, one block per functional: bands and density of states, thermal properties, animated modes. */
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PhononsJson } from '@unitcell/contract/results';
import type { MaterialPhononsOfFunctional } from '@unitcell/contract/matdata';
import { lazy, Suspense, useMemo, useState } from 'react';
import { ErrorPanel } from '../../../components/failure.tsx';
import { HowItWorks } from '../../../components/tool-page/tool-page.tsx';
import { ToolbarButtons } from '../../../components/toolbar-buttons.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { downloadText } from '../../../lib/download.ts';
import { PhononBands, ThermalPlot } from '../../../viz/phonons/phonon-plots.tsx';
import { phononModesRequest, phononsRequest } from '../material-requests.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import classes from '../material.module.css';
import { SourcedSection } from './sourced-section.tsx';
import { phononTexts } from '../../../viz/phonons/phonon-figures.ts';

const ModeViewer = lazy(async () => ({
  default: (await import('../../../viz/phonons/mode-viewer.tsx')).ModeViewer,
}));

/** Wave vectors of high symmetry, each once. */
function namedWaves({
  bands,
}: PhononsJson): readonly { readonly label: string; readonly q: readonly number[] }[] {
  const known = new Set<string>();
  return bands.flatMap(({ label, q }) => {
    if (label === undefined || known.has(label)) return [];
    known.add(label);
    return [{ label, q }];
  });
}

const sectionTexts = defineTexts('material-phonons', {
  en: {
    lead: 'Lattice vibrations, calculated.',
    charges: 'Longitudinal and transverse optical modes are split by Born charges.',
    noCharges: 'Without Born charges: longitudinal and transverse optical modes meet at Γ.',
    ofFunctional: 'Calculated, {{functional}}',
    json: 'JSON',
    files: 'Files of the phonons',
    noModes: 'The source gives neither force constants nor eigenvectors, so the modes cannot be animated.',
    modes: 'Modes',
  },
  zh: {
    lead: '计算得到的晶格振动。',
    charges: '纵、横光学模式因 Born 有效电荷而分裂。',
    noCharges: '未计入 Born 有效电荷：纵、横光学模式在 Γ 点简并。',
    ofFunctional: '计算，{{functional}}',
    json: 'JSON',
    files: '声子文件',
    noModes: '来源既未给出力常数，也未给出本征矢量，无法播放振动模式。',
    modes: '振动模式',
  },
});

const title = { en: 'Phonons', zh: '声子' };

interface OfFunctionalProps extends MaterialSectionProps {
  readonly phonons: MaterialPhononsOfFunctional;
}

function OfFunctional({ material, phonons }: OfFunctionalProps) {
  const { t } = useTexts(sectionTexts);
  const { t: tp } = useTexts(phononTexts);
  const name = `${material.struct_id}-${phonons.functional.toLowerCase()}`;
  return (
    <>
      <h3 className={classes.subheading}>{t('ofFunctional', { functional: phonons.functional })}</h3>
      <PhononBands phonons={phonons} name={`${name}-phonons`} />
      {phonons.has_charges !== null && (
        <p className={classes.bandsHint}>{t(phonons.has_charges ? 'charges' : 'noCharges')}</p>
      )}
      {phonons.thermal && (
        <>
          <h3 className={classes.subheading}>{tp('thermal')}</h3>
          <ThermalPlot phonons={phonons} name={`${name}-thermal`} />
        </>
      )}
      <h3 className={classes.subheading}>{t('modes')}</h3>
      {phonons.has_modes ? (
        <Modes material={material} phonons={phonons} />
      ) : (
        <p className={classes.bandsHint}>{t('noModes')}</p>
      )}
    </>
  );
}

function Modes({ material, phonons }: OfFunctionalProps) {
  const { t } = useTexts(phononTexts);
  const waves = useMemo(() => namedWaves(phonons), [phonons]);
  const [label, setLabel] = useState(waves[0]?.label ?? '');
  const q = waves.find((wave) => wave.label === label)?.q ?? [0, 0, 0];
  const modes = useQuery(phononModesRequest(material.struct_id, phonons.functional, q));
  return (
    <>
      <NativeSelect
        label={t('wave')}
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
        data={waves.map((wave) => ({ value: wave.label, label: `${wave.label} (${wave.q.join(', ')})` }))}
        className={classes.wave}
      />
      {modes.isError && <ErrorPanel error={modes.error} onRetry={() => void modes.refetch()} />}
      {modes.data && (
        <Suspense fallback={null}>
          <ModeViewer key={label} structure={phonons.structure} q={q} modes={modes.data} />
        </Suspense>
      )}
      <p className={classes.bandsHint}>{t('modesHint')}</p>
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
