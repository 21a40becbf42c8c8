/** The Ellingham diagram page. */
import { Checkbox, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { drawEllingham } from '@unitcell/contract/calls';
import type { EllinghamResult as Answer } from '@unitcell/contract/stability';
import { ELLINGHAM_DIAGRAMS } from '@unitcell/contract/stability/rules';
import { EnergyScaleSelect } from '../../../components/energy-scale/energy-scale-select.tsx';
import { ScaleOrigin } from '../../../components/energy-scale/energy-scale.tsx';
import { Examples } from '../../../components/examples.tsx';
import { formulaText } from '../../../components/formula.tsx';
import { ErrorPanel, PanelBoundary } from '../../../components/failure.tsx';
import page from '../../../components/panel.module.css';
import { ToolHeader, Waiting } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { apiQuery, type RequestOf } from '../../../lib/api-client.ts';
import { useAddressState } from '../../../lib/use-address-state.ts';
import {
  DEFAULT_ELEMENTS,
  type EllinghamInput,
  GAS_SCALES,
  readEllingham,
  writeEllingham,
} from '../ellingham-address.ts';
import { ellinghamTexts } from '../texts.ts';
import { EllinghamResult } from './ellingham-result.tsx';
import { ElementsForm } from './elements-form.tsx';
import classes from './stability.module.css';

export const ellinghamRequest = ({
  kind,
  elements,
  min,
  max,
  scale,
}: EllinghamInput): RequestOf<typeof drawEllingham> => ({
  call: drawEllingham,
  body: {
    kind,
    elements,
    temperature_min: min,
    temperature_max: max,
    ...(scale === null ? {} : { functional: scale }),
  },
});

const EXAMPLES = ['Fe Ti Al C', 'Cu Ni Fe Cr Si H', 'Li Na K Mg Ca Ba', 'Mn V Nb Ta Zr C'].map(
  (elements) => ({
    name: elements,
    to: `/ellingham?kind=oxide&el=${elements.replaceAll(' ', ',')}`,
  }),
);

export function Page() {
  const { t } = useTexts(ellinghamTexts);
  const { state: input, change } = useAddressState({
    read: readEllingham,
    write: writeEllingham,
    restMs: 150,
  });
  const diagram = useQuery({
    ...apiQuery(ellinghamRequest(input)),
    retry: false,
    placeholderData: (previous: Answer | undefined) => previous,
  });
  const draw = (drawn: Pick<EllinghamInput, 'elements' | 'min' | 'max'>): void => {
    change((now) => ({ ...now, ...drawn }));
  };
  const changeKind = (text: string): void => {
    const kind = ELLINGHAM_DIAGRAMS.find((one) => one === text) ?? 'oxide';
    change((now) => ({
      ...now,
      kind,
      // Elements chosen by the visitor are kept. Default elements change with the kind of diagram.
      elements: Object.values(DEFAULT_ELEMENTS).includes(now.elements)
        ? DEFAULT_ELEMENTS[kind]
        : now.elements,
    }));
  };
  const isOxide = input.kind === 'oxide';
  const gas = diagram.data?.gas ?? 'O2';
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} guide="reaction#ellingham" />
      <ElementsForm
        input={input}
        unit="K"
        example={t('elementsExample')}
        maxLength={200}
        isBusy={diagram.isFetching}
        onDraw={draw}
      >
        <NativeSelect
          className={classes.kind}
          size="md"
          label={t('kind')}
          value={input.kind}
          data={ELLINGHAM_DIAGRAMS.map((kind) => ({ value: kind, label: t(kind) }))}
          onChange={(event) => changeKind(event.currentTarget.value)}
        />
      </ElementsForm>
      {isOxide && <Examples label={t('examples')} examples={EXAMPLES} />}
      <div className={`uc-wrap uc-fields ${classes.options}`}>
        <NativeSelect
          size="xs"
          label={t('scale')}
          value={
            !isOxide && (input.gasScale === 'co' || input.gasScale === 'h2') ? 'pressure' : input.gasScale
          }
          data={GAS_SCALES.filter((one) => isOxide || one === 'none' || one === 'pressure').map((one) => ({
            value: one,
            label: t(one, { gas: formulaText(gas) }),
          }))}
          onChange={(event) => {
            const gasScale = GAS_SCALES.find((one) => one === event.currentTarget.value) ?? 'none';
            change((now) => ({ ...now, gasScale }), { isReplacing: true });
          }}
        />
        <Checkbox
          label={t('showComputed')}
          checked={input.hasComputed}
          onChange={(event) => {
            const hasComputed = event.currentTarget.checked;
            change((now) => ({ ...now, hasComputed }), { isReplacing: true });
          }}
        />
        <EnergyScaleSelect scale={input.scale} onChange={(scale) => change((now) => ({ ...now, scale }))} />
      </div>
      <section className={page.results} aria-label={t('results')} aria-live="polite">
        {diagram.isPending && <Waiting>{t('loading')}</Waiting>}
        {diagram.isError && !diagram.isFetching && (
          <ErrorPanel error={diagram.error} onRetry={() => void diagram.refetch()} />
        )}
        {diagram.data && !diagram.isError && (
          <PanelBoundary key={diagram.data.kind}>
            <ScaleOrigin scale={diagram.data}>
              <EllinghamResult
                result={diagram.data}
                input={input}
                sent={ellinghamRequest(input)}
                onReading={(reading) => change((now) => ({ ...now, reading }), { isReplacing: true })}
                isStale={diagram.isPlaceholderData}
              />
            </ScaleOrigin>
          </PanelBoundary>
        )}
      </section>
    </div>
  );
}
