/** The coatings page: a finder of coatings between two phases, and a matrix of reactions. The address holds the submitted input. */
import { useQuery } from '@tanstack/react-query';
import type { CoatingSearch } from '@unitcell/contract/coatings';
import { EnergyScaleSelect } from '../../../components/energy-scale/energy-scale-select.tsx';
import { ScaleOrigin } from '../../../components/energy-scale/energy-scale.tsx';
import { Examples } from '../../../components/examples.tsx';
import { ErrorPanel, PanelBoundary, InlineFailure } from '../../../components/failure.tsx';
import page from '../../../components/panel.module.css';
import { Idle, ToolHeader, Waiting } from '../../../components/tool-page/tool-page.tsx';
import { ToolbarButtons } from '../../../components/toolbar-buttons.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { apiQuery } from '../../../lib/api-client.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useAddressState } from '../../../lib/use-address-state.ts';
import {
  badNumbers,
  readCoatings,
  searchRequest,
  writeCoatings,
  type CoatingField,
  type CoatingQuery,
  NUMBER_LIMITS,
  type NumberField,
} from '../coatings-address.ts';
import { coatingTexts } from '../texts.ts';
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import { type FormEvent, useState } from 'react';
import { fieldMeaning } from '../../../components/filter/filter-fields.ts';
import { FoldedFilters } from '../../../components/folded-filters.tsx';
import { formulaText } from '../../../components/formula.tsx';
import {
  CrystalDrop,
  energyText,
  type OwnCrystal,
  ownCrystalTexts,
  PredictedEnergy,
  readEnergyText,
  readOwnCrystal,
} from '../../../components/own-crystal.tsx';
import classes from './coatings.module.css';

const CoatingResults = lazyPart(async () => (await import('./coating-results.tsx')).CoatingResults);
const MatrixPart = lazyPart(async () => (await import('./matrix-part.tsx')).MatrixPart);

const EXAMPLES = [
  {
    name: 'LiCoO2 | Li3PS4',
    to: '/coatings?a=LiCoO2&b=Li3PS4&with=Li,O&without=Co&vmin=2&vmax=3&gap=3&ehull=0.03&observed=1',
  },
  { name: 'Li | Li6PS5Cl', to: '/coatings?a=Li&b=Li6PS5Cl&gap=2&ehull=0.01' },
];
const MATRIX_EXAMPLES = [
  {
    name: 'LiCoO2 LiFePO4 Li3PS4 Li6PS5Cl LiNbO3 Li3PO4 Li2ZrO3',
    to: '/coatings?mode=matrix&m=LiCoO2,LiFePO4,Li3PS4,Li6PS5Cl,LiNbO3,Li3PO4,Li2ZrO3',
  },
];

export function Page() {
  const { t } = useTexts(coatingTexts);
  const { state: query, change } = useAddressState({ read: readCoatings, write: writeCoatings });
  const isAsked = query.mode === 'find' && query.a !== '' && query.b !== '' && badNumbers(query).length === 0;
  const found = useQuery({
    ...apiQuery(searchRequest(query)),
    enabled: isAsked,
    retry: false,
    placeholderData: (previous: CoatingSearch | undefined) => (isAsked ? previous : undefined),
  });
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} guide="coatings" />
      <div className={`uc-row uc-fields ${page.choices}`}>
        <ToolbarButtons
          label={t('modes')}
          buttons={(['find', 'matrix'] as const).map((mode) => ({
            id: mode,
            label: t(mode),
            isOn: query.mode === mode,
            onClick: () => change((now) => ({ ...now, mode })),
          }))}
        />
        <EnergyScaleSelect scale={query.scale} onChange={(scale) => change((now) => ({ ...now, scale }))} />
      </div>
      {query.mode === 'matrix' ? (
        <PanelBoundary waiting={<Waiting>{t('matrixLoading')}</Waiting>}>
          <MatrixPart query={query} change={change} examples={MATRIX_EXAMPLES} />
        </PanelBoundary>
      ) : (
        <>
          <CoatingForm
            query={query}
            isBusy={isAsked && found.isFetching}
            onSearch={(next) => {
              if (writeCoatings(next).toString() === writeCoatings(query).toString()) void found.refetch();
              else change(() => next);
            }}
          />
          {!isAsked && <Examples examples={EXAMPLES} />}
          <section className={page.results} aria-label={t('results')} aria-live="polite">
            {!isAsked && <Idle>{t('idle')}</Idle>}
            {isAsked && found.isPending && <Waiting>{t('loading')}</Waiting>}
            {found.isError && !found.isFetching && (
              <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
            )}
            {isAsked && found.data && !found.isError && (
              <ScaleOrigin scale={found.data}>
                <PanelBoundary waiting={<Waiting>{t('loading')}</Waiting>}>
                  <CoatingResults
                    result={found.data}
                    scale={query.scale}
                    sent={searchRequest(query)}
                    isStale={found.isPlaceholderData}
                  />
                </PanelBoundary>
              </ScaleOrigin>
            )}
          </section>
        </>
      )}
    </div>
  );
}

// ── The form of the finder: A, B and the filters ──

interface CoatingFormProps {
  /** From the address. */
  readonly query: CoatingQuery;
  readonly isBusy: boolean;
  readonly onSearch: (query: CoatingQuery) => void;
}

const FILTERS = ['from', 'to', 'gap', 'hull', 'including', 'without', 'elements', 'price'] as const;
const CONDITIONS = ['potential', 'limit'] as const;
/** The field whose explanation each filter shows. The onsets have the same explanation for every ion. */
const MEANT: Readonly<Partial<Record<CoatingField, string>>> = {
  from: 'reduction_onset_li',
  to: 'oxidation_onset_li',
  gap: 'band_gap',
  hull: 'energy_above_hull',
};
const PLACEHOLDERS: Readonly<Partial<Record<CoatingField, string>>> = {
  including: 'Li, O',
  without: 'Co',
  limit: '0.05',
};

const isNumber = (field: CoatingField): field is NumberField => field in NUMBER_LIMITS;

/** The file that is being read or was read last. */
type FileNote =
  | { readonly name: string; readonly crystal: OwnCrystal | null }
  | { readonly problem: unknown }
  | null;

function CoatingForm({ query, isBusy, onSearch }: CoatingFormProps) {
  const { t, language } = useTexts(coatingTexts);
  const { t: ofCrystal } = useTexts(ownCrystalTexts);
  const [typed, setTyped] = useState({ ...query, of: query });
  const [note, setNote] = useState<FileNote>(null);
  // Updates the form when Back or Forward changes the address.
  if (writeCoatings(typed.of).toString() !== writeCoatings(query).toString())
    setTyped({ ...query, of: query });
  const bad = badNumbers(typed);
  const isReady = typed.a.trim() !== '' && typed.b.trim() !== '' && bad.length === 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { of: _, ...next } = typed;
    if (isReady) onSearch({ ...next, mode: 'find', scale: query.scale });
  };
  async function takeFile(side: 'a' | 'b', file: File): Promise<void> {
    const { name } = file;
    setNote({ name, crystal: null });
    try {
      const crystal = await readOwnCrystal(file);
      const { formula, structId, energy } = crystal;
      const isPlaced = structId === null && energy !== null;
      setTyped((now) => ({
        ...now,
        [side]: structId === null ? formula : String(structId),
        [`${side}Energy`]: isPlaced ? energyText(energy) : '',
      }));
      setNote({ name, crystal });
    } catch (problem) {
      setNote({ problem });
    }
  }
  const active = [
    ...(typed.ion === '' ? [] : [`${t('ion')}: ${typed.ion}`]),
    ...[...FILTERS, ...CONDITIONS].flatMap((field) =>
      typed[field].trim() === '' ? [] : [`${t(field)}: ${typed[field]}`],
    ),
    ...(typed.observed ? [t('observed')] : []),
  ];
  const textField = (field: (typeof FILTERS | typeof CONDITIONS)[number]) => {
    const limits = isNumber(field) && bad.includes(field) ? NUMBER_LIMITS[field] : null;
    return (
      <TextInput
        key={field}
        className={classes.filter}
        labelProps={{ title: fieldMeaning(MEANT[field] ?? '', language) }}
        label={t(field)}
        placeholder={field === 'potential' ? t('closed') : (PLACEHOLDERS[field] ?? '')}
        inputMode={isNumber(field) ? 'decimal' : 'text'}
        value={typed[field]}
        maxLength={200}
        spellCheck={false}
        autoComplete="off"
        error={limits === null ? undefined : t('range', limits)}
        onChange={(event) => setTyped({ ...typed, [field]: event.currentTarget.value })}
      />
    );
  };
  const partner = (side: 'a' | 'b') => {
    const energy = readEnergyText(typed[`${side}Energy`]);
    return (
      <CrystalDrop
        className={classes.partner}
        label={t('file', { side: t(side) })}
        onFile={(file) => void takeFile(side, file)}
      >
        <TextInput
          size="md"
          label={t(side)}
          placeholder={t(side === 'a' ? 'placeholderA' : 'placeholderB')}
          description={energy && <PredictedEnergy energy={energy} />}
          inputWrapperOrder={['label', 'input', 'description']}
          value={typed[side]}
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          // Typing removes the prediction, which belongs to the uploaded crystal.
          onChange={(event) =>
            setTyped({ ...typed, [side]: event.currentTarget.value, [`${side}Energy`]: '' })
          }
        />
      </CrystalDrop>
    );
  };
  return (
    <form onSubmit={submit}>
      <div className={`uc-wrap uc-fields ${page.toolForm} ${classes.partners}`}>
        {partner('a')}
        <Button
          type="button"
          variant="default"
          size="md"
          className={classes.swap}
          aria-label={t('swap')}
          title={t('swap')}
          onClick={() =>
            setTyped({ ...typed, a: typed.b, b: typed.a, aEnergy: typed.bEnergy, bEnergy: typed.aEnergy })
          }
        >
          <IconArrowsExchange size={18} aria-hidden="true" />
        </Button>
        {partner('b')}
        <Button type="submit" size="md" className={classes.swap} disabled={!isReady} loading={isBusy}>
          {t('search')}
        </Button>
      </div>
      <p className={`uc-hint ${page.toolHint}`}>{t('hint')}</p>
      <div className={page.toolHint} aria-live="polite">
        {note !== null && 'problem' in note && <InlineFailure error={note.problem} />}
        {note !== null && 'name' in note && (
          <p className="uc-note">
            {note.crystal === null
              ? ofCrystal('reading', { name: note.name })
              : note.crystal.problem === ''
                ? t(note.crystal.structId === null ? 'fromFile' : 'fromCatalogue', {
                    name: note.name,
                    formula: formulaText(note.crystal.formula),
                    id: String(note.crystal.structId),
                  })
                : `${t('notPlaced', { formula: formulaText(note.crystal.formula) })} ${note.crystal.problem}`}
          </p>
        )}
      </div>
      <FoldedFilters active={active} hasProblem={bad.length > 0}>
        <fieldset className={classes.filters}>
          <legend className="uc-caption">{t('filters')}</legend>
          <NativeSelect
            className={classes.filter}
            label={t('ion')}
            data={[...WORKING_IONS]}
            value={typed.ion === '' ? WORKING_IONS[0] : typed.ion}
            onChange={({ currentTarget: { value } }) =>
              setTyped({ ...typed, ion: value === WORKING_IONS[0] ? '' : value })
            }
          />
          {FILTERS.map(textField)}
          {CONDITIONS.map(textField)}
          <Checkbox
            className={classes.observed}
            label={t('observed')}
            checked={typed.observed}
            onChange={(event) => setTyped({ ...typed, observed: event.currentTarget.checked })}
          />
        </fieldset>
      </FoldedFilters>
    </form>
  );
}
