/** The chemical potentials at which a selected stable compound of the diagram is stable. */
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { CopyAsCode } from '../../../components/copy-as-code/copy-as-code.tsx';
import { ErrorPanel } from '../../../components/failure.tsx';
import { Section } from '../../../components/section.tsx';
import { HowItWorks, Waiting } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { potentialsRequest, useChemicalPotentials } from '../api/use-phase-diagram.ts';
import classes from '../phase-diagram.module.css';
import type { OpenGasState } from '../../../components/open-gas/open-gas-state.ts';
import { AIR, RegionView } from './region-view.tsx';
import { potentialTexts } from './texts.ts';

interface PotentialsSectionProps {
  /** Elements of the diagram, as requested. */
  readonly include: string;
  readonly functional: string;
  /** Formulas of the stable compounds. */
  readonly compounds: readonly string[];
  /** The selected compound; null if none. */
  readonly compound: string | null;
  readonly onCompound: (formula: string | null) => void;
  /** Formation energy of the selected compound if it is the visitor's own, eV/atom. */
  readonly ownEnergy?: number | null;
}

export function PotentialsSection(props: PotentialsSectionProps) {
  const { include, functional, compounds, compound, onCompound, ownEnergy = null } = props;
  const { t } = useTexts(potentialTexts);
  const [gas, setGas] = useState<OpenGasState | null>(AIR);
  const region = useChemicalPotentials(include, compound, functional, ownEnergy);
  // Keep a compound from the address in the list even if it is invalid; the answer reports that.
  const named = [...new Set([...compounds, ...(compound === null ? [] : [compound])])];
  return (
    <Section
      id="potentials"
      title={t('title')}
      lead={
        <>
          {t('lead')} <HowItWorks guide="phase-diagram#chemical-potentials" />
        </>
      }
      tools={
        compound !== null && <CopyAsCode sent={potentialsRequest(include, compound, functional, ownEnergy)} />
      }
    >
      <div className={classes.view}>
        <NativeSelect
          label={t('compound')}
          className={classes.compound}
          data={[{ value: '', label: t('choose') }, ...named]}
          value={compound ?? ''}
          onChange={({ currentTarget: { value } }) => onCompound(value || null)}
        />
        {compound !== null && region.isPending && <Waiting>{t('loading')}</Waiting>}
        {compound !== null && region.isError && (
          <ErrorPanel error={region.error} onRetry={() => void region.refetch()} />
        )}
        {compound !== null && region.isSuccess && (
          <div className={classes.result} data-stale={region.isPlaceholderData || undefined}>
            <RegionView key={region.data.compound.formula} answer={region.data} gas={gas} onGas={setGas} />
          </div>
        )}
      </div>
    </Section>
  );
}
