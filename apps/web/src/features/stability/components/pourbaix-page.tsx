/** The Pourbaix diagram page. */
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PourbaixResult as Answer } from '@unitcell/contract/stability';
import { DEFAULT_CONCENTRATION } from '@unitcell/contract/stability/rules';
import type { ReactNode } from 'react';
import { EnergyScaleSelect } from '../../../components/energy-scale/energy-scale-select.tsx';
import { ScaleOrigin } from '../../../components/energy-scale/scale-origin.tsx';
import { Examples } from '../../../components/examples.tsx';
import { FileOrigin } from '../../../components/file-origin.tsx';
import { ErrorPanel, PanelBoundary } from '../../../components/failure.tsx';
import page from '../../../components/panel.module.css';
import { ToolHeader, Waiting } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { apiQuery } from '../../../lib/api-client.ts';
import { useAddressState } from '../../../lib/use-address-state.ts';
import {
  elementsOf,
  type PourbaixInput,
  pourbaixRequest,
  readPourbaix,
  writePourbaix,
} from '../pourbaix-address.ts';
import { pourbaixTexts } from '../pourbaix-texts.ts';
import { PourbaixOptions } from './pourbaix-options.tsx';
import { PourbaixResult } from './pourbaix-result.tsx';
import { ElementsForm } from './elements-form.tsx';
import classes from './stability.module.css';

function conditionsOf(input: PourbaixInput): Pick<Answer, 'elements' | 'ratio' | 'concentrations'> {
  const elements = [...elementsOf(input.elements)];
  const valuesOr = (values: readonly number[], usual: number): number[] =>
    values.length === elements.length ? [...values] : elements.map(() => usual);
  return {
    elements,
    ratio: valuesOr(input.ratio, 1),
    concentrations: valuesOr(input.concentrations, DEFAULT_CONCENTRATION),
  };
}

const EXAMPLES = [
  { name: 'Fe', to: '/pourbaix?el=Fe&e=measured' },
  { name: 'Cu', to: '/pourbaix?el=Cu&e=measured' },
  { name: 'Ti', to: '/pourbaix?el=Ti' },
  { name: 'Fe Cr', to: '/pourbaix?el=Fe,Cr' },
  { name: 'Li Mn', to: '/pourbaix?el=Li,Mn' },
];

export function Page() {
  const { t } = useTexts(pourbaixTexts);
  const { state: input, change } = useAddressState({ read: readPourbaix, write: writePourbaix, restMs: 150 });
  const diagram = useQuery({
    ...apiQuery(pourbaixRequest(input)),
    retry: false,
    placeholderData: (previous: Answer | undefined) => previous,
  });
  // Until the answer arrives, the conditions from the address are shown, so that nothing moves on arrival.
  const answered = diagram.data ?? conditionsOf(input);
  const draw = (drawn: Pick<PourbaixInput, 'elements' | 'min' | 'max'>): void => {
    change((now) => {
      const elements = elementsOf(drawn.elements).join(' ');
      const isSame = elements === elementsOf(now.elements).join(' ');
      return {
        ...now,
        ...drawn,
        elements,
        ...(isSame ? {} : { ratio: [], concentrations: [] }),
      };
    });
  };
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} guide="pourbaix" />
      <ElementsForm
        input={input}
        unit="V"
        example={t('elementsExample')}
        maxLength={100}
        mayBeEmpty={input.compound !== ''}
        isBusy={diagram.isFetching}
        onDraw={draw}
      />
      <Examples label={t('examples')} examples={EXAMPLES} />
      <div className={`uc-wrap uc-fields ${classes.options}`}>
        <NativeSelect
          size="xs"
          label={t('energies')}
          value={input.energies}
          data={(['computed', 'measured'] as const).map((value) => ({ value, label: t(value) }))}
          onChange={(event) => {
            const energies = event.currentTarget.value === 'measured' ? 'measured' : 'computed';
            change((now) => ({
              ...now,
              energies,
              // Only diagrams of computed energies can contain a placed compound.
              ...(energies === 'measured' ? { compound: '', compoundEnergy: null } : {}),
            }));
          }}
        />
        {input.energies === 'computed' && (
          <EnergyScaleSelect scale={input.scale} onChange={(scale) => change((now) => ({ ...now, scale }))} />
        )}
      </div>
      {answered.elements.length > 0 && (
        <PourbaixOptions
          input={input}
          {...answered}
          onChange={(part) => change((now) => ({ ...now, ...part }))}
        />
      )}
      <section className={page.results} aria-label={t('results')} aria-live="polite">
        {diagram.isPending && <Waiting>{t('loading')}</Waiting>}
        {diagram.isError && !diagram.isFetching && (
          <ErrorPanel error={diagram.error} onRetry={() => void diagram.refetch()} />
        )}
        {diagram.data && !diagram.isError && (
          <PanelBoundary key={diagram.data.energies}>
            <OfScale scale={diagram.data.energies === 'computed' ? diagram.data : null}>
              <PourbaixResult
                result={diagram.data}
                input={input}
                sent={pourbaixRequest(input)}
                onReading={({ ph, volts }) => change((now) => ({ ...now, ph, volts }), { isReplacing: true })}
                isStale={diagram.isPlaceholderData}
              />
            </OfScale>
          </PanelBoundary>
        )}
      </section>
    </div>
  );
}

const MEASURED = [
  ['source', 'measured: NBS tables, NIST-JANAF, FREED; the source of each ion is in the table of species'],
] as const;

/** Measured energies belong to no scale, so exported files name their tables instead. */
function OfScale({ scale, children }: { readonly scale: Answer | null; readonly children: ReactNode }) {
  return scale === null ? (
    <FileOrigin facts={MEASURED}>{children}</FileOrigin>
  ) : (
    <ScaleOrigin scale={scale}>{children}</ScaleOrigin>
  );
}
