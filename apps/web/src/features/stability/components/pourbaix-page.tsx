/** The Pourbaix diagram page. */
import { NativeSelect, Button, Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { PourbaixResult as Answer } from '@unitcell/contract/stability';
import { DEFAULT_CONCENTRATION, MAX_OWN_ENERGY, MAX_OWN_IONS } from '@unitcell/contract/stability/rules';
import { type ReactNode, useState } from 'react';
import { EnergyScaleSelect } from '../../../components/energy-scale/energy-scale-select.tsx';
import { ScaleOrigin } from '../../../components/energy-scale/energy-scale.tsx';
import { Examples } from '../../../components/examples.tsx';
import { FileOrigin } from '../../../components/file-origin.tsx';
import { ErrorPanel, PanelBoundary, InlineFailure } from '../../../components/failure.tsx';
import page from '../../../components/panel.module.css';
import { ToolHeader, Waiting } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { apiQuery, ApiError } from '../../../lib/api-client.ts';
import { readNumber } from '../../../lib/format.ts';
import { useAddressState } from '../../../lib/use-address-state.ts';
import {
  elementsOf,
  type PourbaixInput,
  pourbaixRequest,
  readPourbaix,
  writePourbaix,
  ionsText,
  readIons,
  readNumbers,
} from '../pourbaix-address.ts';
import { pourbaixTexts } from '../pourbaix-texts.ts';
import { PourbaixResult } from './pourbaix-result.tsx';
import { Applied, ElementsForm } from './elements-form.tsx';
import classes from './stability.module.css';
import { PREDICTED_SCALE } from '@unitcell/contract/prediction/rules';
import { formulaText } from '../../../components/formula.tsx';
import { CrystalDrop, ownCrystalTexts, readOwnCrystal } from '../../../components/own-crystal.tsx';
import pourbaix from './pourbaix.module.css';

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
        ...(isSame ? {} : { ratio: [], concentrations: [], ions: [] }),
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

// ── Conditions of a Pourbaix diagram: ratio, concentrations, a compound to place, own ions ──

interface PourbaixOptionsProps {
  readonly input: PourbaixInput;
  readonly elements: readonly string[];
  /** From the answer, or from the address until the answer arrives. */
  readonly ratio: readonly number[];
  readonly concentrations: readonly number[];
  readonly onChange: (part: Partial<PourbaixInput>) => void;
}

export function PourbaixOptions({ input, elements, ratio, concentrations, onChange }: PourbaixOptionsProps) {
  const { t } = useTexts(pourbaixTexts);
  const smallest = Math.min(...ratio);
  const named = elements.join(' ');
  // The requested values, not those of the answer: two boxes may change before the answer arrives.
  const asked =
    input.elements === named && input.concentrations.length > 0 ? input.concentrations : concentrations;
  return (
    <>
      <fieldset className={`uc-wrap uc-fields ${classes.pressures}`}>
        <legend className="uc-caption">{t('conditions')}</legend>
        {elements.length > 1 && (
          <Applied
            label={t('ratio', { elements: elements.join(' : ') })}
            value={ratio.map((share) => Number((share / smallest).toFixed(3))).join(' : ')}
            problem={t('ratioProblem', { count: elements.length })}
            isPossible={(text) => readNumbers(text).length === elements.length}
            onApply={(text) => onChange({ elements: named, ratio: readNumbers(text) })}
          />
        )}
        {elements.map((element, index) => (
          <Applied
            key={element}
            label={t('concentration', { element })}
            value={String(concentrations[index] ?? '')}
            problem={t('concentrationProblem')}
            isPossible={(text) => (readNumber(text) ?? 0) > 0}
            onApply={(text) =>
              onChange({
                elements: named,
                concentrations: asked.map((value, at) =>
                  at === index ? (readNumber(text) ?? value) : value,
                ),
              })
            }
          />
        ))}
      </fieldset>
      <details className={`uc-fold ${pourbaix.more}`} open={input.compound !== ''}>
        <summary>{t('place')}</summary>
        <PlaceCrystal input={input} onChange={onChange} />
        {/* A new key resets the boxes when the address changes. */}
        <PlaceForm
          key={`${input.compound} ${input.compoundEnergy?.value}`}
          input={input}
          onChange={onChange}
        />
      </details>
      <details className={`uc-fold ${pourbaix.more}`} open={input.ions.length > 0}>
        <summary>{t('ions')}</summary>
        <IonsForm key={ionsText(input.ions)} input={input} onChange={onChange} />
      </details>
    </>
  );
}

type FormProps = Pick<PourbaixOptionsProps, 'input' | 'onChange'>;

/** Places a crystal from a file: as the same material of the catalogue, or else with its predicted energy. */
function PlaceCrystal({ input, onChange }: FormProps) {
  const { t } = useTexts(pourbaixTexts);
  const { t: ofCrystal } = useTexts(ownCrystalTexts);
  const client = useQueryClient();
  const [note, setNote] = useState<ReactNode>(null);
  async function hasEntry(known: PourbaixInput): Promise<boolean> {
    try {
      await client.fetchQuery(apiQuery(pourbaixRequest(known)));
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'pourbaix.no-energy') return false;
      throw error;
    }
  }
  async function take(file: File): Promise<void> {
    setNote(ofCrystal('reading', { name: file.name }));
    try {
      const { formula, structId, energy, problem } = await readOwnCrystal(file);
      const plain = { elements: '', ratio: [], concentrations: [], ions: [], energies: 'computed' } as const;
      const known = { ...plain, compound: `#${structId}`, compoundEnergy: null };
      if (structId !== null && (await hasEntry({ ...input, ...known }))) {
        setNote(ofCrystal('known', { formula: formulaText(formula) }));
        onChange(known);
      } else if (energy === null) {
        setNote(`${t('notPlaced', { formula: formulaText(formula) })} ${problem}`);
      } else {
        setNote(null);
        onChange({ ...plain, compound: formula, compoundEnergy: energy, scale: PREDICTED_SCALE });
      }
    } catch (error) {
      setNote(<InlineFailure error={error} />);
    }
  }
  return (
    <CrystalDrop className={page.toolHint} onFile={(file) => void take(file)}>
      <div className="uc-note" aria-live="polite">
        {note}
      </div>
    </CrystalDrop>
  );
}

function PlaceForm({ input, onChange }: FormProps) {
  const { t } = useTexts(pourbaixTexts);
  const known = input.compoundEnergy;
  const [compound, setCompound] = useState(input.compound);
  const [energy, setEnergy] = useState(known === null ? '' : String(known.value));
  const value = readNumber(energy);
  // A predicted energy keeps its interval until the formula or the energy is edited.
  const isSame = compound.trim() === input.compound && (known?.value ?? null) === value;
  const isEnergy = energy.trim() === '' || (value !== null && Math.abs(value) <= MAX_OWN_ENERGY);
  const isPossible = compound.trim() !== '' && isEnergy;
  return (
    <form
      className={`uc-wrap uc-fields ${page.toolForm}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPossible) return;
        onChange({
          compound: compound.trim(),
          compoundEnergy: isSame ? known : value === null ? null : { value, low: value, high: value },
          energies: 'computed',
        });
      }}
    >
      <TextInput
        className={pourbaix.compound}
        label={t('compound')}
        description={t('placeHint')}
        value={compound}
        maxLength={200}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setCompound(event.currentTarget.value)}
      />
      <TextInput
        className={pourbaix.compound}
        label={t('compoundEnergy')}
        description={t('compoundEnergyHint')}
        value={energy}
        inputMode="decimal"
        autoComplete="off"
        error={!isEnergy && t('compoundEnergyProblem', { n: MAX_OWN_ENERGY })}
        onChange={(event) => setEnergy(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={!isPossible}>
        {t('apply')}
      </Button>
      {input.compound !== '' && (
        <Button variant="subtle" onClick={() => onChange({ compound: '', compoundEnergy: null })}>
          {t('remove')}
        </Button>
      )}
    </form>
  );
}

function IonsForm({ input, onChange }: FormProps) {
  const { t } = useTexts(pourbaixTexts);
  const [text, setText] = useState(ionsText(input.ions));
  const ions = readIons(text);
  return (
    <form
      className={`uc-wrap uc-fields ${page.toolForm}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (ions !== null) onChange({ ions });
      }}
    >
      <Textarea
        className={pourbaix.ions}
        label={t('ionsLabel')}
        description={t('ionsHint')}
        value={text}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={1500}
        spellCheck={false}
        error={ions === null ? t('ionsProblem', { n: MAX_OWN_IONS }) : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={ions === null}>
        {t('apply')}
      </Button>
    </form>
  );
}
