/** The diagrams below the hull of a chemical system. Each diagram also has a separate page. */
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import { PREDICTED_SCALE } from '@unitcell/contract/prediction/rules';
import type { EllinghamDiagram } from '@unitcell/contract/stability/rules';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { ScaleOrigin, withScale } from '../../components/energy-scale/energy-scale.tsx';
import type { PlacedCrystal } from '../../components/own-crystal.tsx';
import { ErrorPanel } from '../../components/failure.tsx';
import { formulaText } from '../../components/formula.tsx';
import { Section } from '../../components/section.tsx';
import { Waiting } from '../../components/tool-page/tool-page.tsx';
import { useOwnWindow, useWindowDetail } from '../../features/ecwindow/api/use-window-search.ts';
import { WindowDiagram } from '../../features/ecwindow/components/ecwindow-detail-page.tsx';
import type { Phase } from '../../features/phase-diagram/view-model.ts';
import { ellinghamRequest } from '../../features/stability/components/ellingham-page.tsx';
import { EllinghamResult } from '../../features/stability/components/ellingham-result.tsx';
import classes from '../../features/stability/components/stability.module.css';
import { PourbaixResult } from '../../features/stability/components/pourbaix-result.tsx';
import { readEllingham, writeEllingham } from '../../features/stability/ellingham-address.ts';
import { pourbaixRequest, readPourbaix, writePourbaix } from '../../features/stability/pourbaix-address.ts';
import { useTexts } from '../../i18n/texts.ts';
import { apiQuery } from '../../lib/api-client.ts';
import { readableQuery } from '../../lib/use-address-state.ts';
import { type SystemState, systemTexts } from './stability-system.ts';

/** Maximum number of elements besides O and H in a Pourbaix diagram. */
const MOST_IN_WATER = 3;

interface PanelProps {
  readonly state: SystemState;
  readonly elements: readonly string[];
  readonly phase: Phase | null;
  /** The visitor's crystal while it is the chosen phase. */
  readonly own: PlacedCrystal | null;
  readonly onChange: (part: Partial<SystemState>) => void;
}

interface AnsweredProps<Answer> {
  readonly query: {
    readonly data: Answer | undefined;
    readonly isPending: boolean;
    readonly isError: boolean;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  readonly children: (answer: Answer) => ReactNode;
}

function Answered<Answer>({ query, children }: AnsweredProps<Answer>) {
  const { t } = useTexts(systemTexts);
  if (query.isError) return <ErrorPanel error={query.error} onRetry={() => void query.refetch()} />;
  return query.data === undefined ? <Waiting>{t('loading')}</Waiting> : children(query.data);
}

export function StabilityPanels(props: PanelProps) {
  return (
    <>
      <WaterPanel {...props} />
      <TemperaturePanel {...props} />
      <VoltagePanel {...props} />
    </>
  );
}

function WaterPanel({ state, elements, phase, own, onChange }: PanelProps) {
  const { t } = useTexts(systemTexts);
  const dissolved = elements.filter((symbol) => symbol !== 'O' && symbol !== 'H');
  // A phase of only O and H cannot be placed in a Pourbaix diagram.
  const id = phase?.id ?? null;
  const isPlaced = id !== null && dissolved.some((symbol) => phase?.formula.includes(symbol));
  const placed = isPlaced ? `#${id}` : '';
  const input = {
    ...readPourbaix(new URLSearchParams({ el: dissolved.join(',') })),
    compound: own?.formula ?? placed,
    compoundEnergy: own?.energy ?? null,
    ph: state.ph,
    volts: state.volts,
    scale: state.scale,
  };
  const isPossible = dissolved.length > 0 && dissolved.length <= MOST_IN_WATER;
  const sent = pourbaixRequest(input);
  const diagram = useQuery({ ...apiQuery(sent), retry: false, enabled: isPossible });
  return (
    <Section
      id="water"
      title={t('water')}
      lead={isPossible ? t('waterLead') : t('noWater', { count: dissolved.length })}
      tools={
        isPossible && <Link to={`/pourbaix?${readableQuery(writePourbaix(input))}`}>{t('fullPage')}</Link>
      }
    >
      {isPossible && (
        <Answered query={diagram}>
          {(answer) => (
            <ScaleOrigin scale={answer}>
              <PourbaixResult
                result={answer}
                input={input}
                sent={sent}
                onReading={({ ph, volts }) => onChange({ ph, volts })}
                isStale={false}
              />
            </ScaleOrigin>
          )}
        </Answered>
      )}
    </Section>
  );
}

/** The kind of Ellingham diagram for each anion that a system may contain. */
const KINDS: readonly (readonly [anion: string, kind: EllinghamDiagram])[] = [
  ['O', 'oxide'],
  ['S', 'sulfide'],
  ['N', 'nitride'],
  ['Cl', 'chloride'],
];

function TemperaturePanel({ state, elements, phase, onChange }: PanelProps) {
  const { t } = useTexts(systemTexts);
  const [anion, kind] = KINDS.find(([symbol]) => elements.includes(symbol)) ?? ['O', 'oxide'];
  const input = {
    ...readEllingham(
      new URLSearchParams({ kind, el: elements.filter((symbol) => symbol !== anion).join(',') }),
    ),
    reading: state.kelvin,
    scale: state.scale,
  };
  const sent = ellinghamRequest(input);
  const diagram = useQuery({ ...apiQuery(sent), retry: false });
  return (
    <Section
      id="temperature"
      title={t('temperature')}
      lead={t('temperatureLead')}
      tools={<Link to={`/ellingham?${readableQuery(writeEllingham(input))}`}>{t('fullPage')}</Link>}
    >
      <Answered query={diagram}>
        {(answer) => (
          <ScaleOrigin scale={answer}>
            <EllinghamResult
              result={answer}
              input={input}
              sent={sent}
              onReading={(kelvin) => onChange({ kelvin })}
              isStale={false}
              phase={phase?.formula ?? null}
            />
          </ScaleOrigin>
        )}
      </Answered>
    </Section>
  );
}

function VoltagePanel({ state, phase, own, onChange }: PanelProps) {
  const { t } = useTexts(systemTexts);
  const { ion, scale } = state;
  const name = own?.formula ?? phase?.formula ?? '';
  const formula = formulaText(name);
  const isIon = name === ion;
  const id = phase?.id ?? null;
  const lead =
    name === '' ? 'noPhase' : isIon ? 'ionItself' : own === null ? 'voltageLead' : 'ownVoltageLead';
  return (
    <Section
      id="voltage"
      title={t('voltage')}
      lead={t(lead, { formula })}
      tools={
        id !== null && <Link to={withScale(`/Ec_windowDetail/${id}/${ion}`, scale)}>{t('fullPage')}</Link>
      }
    >
      <div className={`uc-wrap ${classes.options}`}>
        <NativeSelect
          className="uc-row"
          size="xs"
          label={t('workingIon')}
          data={[...WORKING_IONS]}
          value={ion}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ion: WORKING_IONS.find((one) => one === value) ?? ion })
          }
        />
      </div>
      {own !== null && !isIon && <WindowOfOwn own={own} ion={ion} />}
      {id !== null && !isIon && <WindowOf structId={id} ion={ion} scale={scale} />}
    </Section>
  );
}

function WindowOf({ structId, ion, scale }: { structId: number; ion: string; scale: string | null }) {
  return <WindowPart detail={useWindowDetail(String(structId), ion, scale)} />;
}

function WindowOfOwn({ own: { formula, energy }, ion }: { own: PlacedCrystal; ion: string }) {
  return <WindowPart detail={useOwnWindow(formula, energy.value, ion, PREDICTED_SCALE)} />;
}

function WindowPart({ detail }: { readonly detail: ReturnType<typeof useWindowDetail> }) {
  return (
    <Answered query={detail}>
      {(answer) => (
        <ScaleOrigin scale={answer}>
          <WindowDiagram detail={answer} />
        </ScaleOrigin>
      )}
    </Answered>
  );
}
