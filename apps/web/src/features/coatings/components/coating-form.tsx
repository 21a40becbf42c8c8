/** The form of the finder: A, B and the filters. */
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import { type FormEvent, useState } from 'react';
import { FoldedFilters } from '../../../components/folded-filters.tsx';
import { InlineFailure } from '../../../components/failure.tsx';
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
import page from '../../../components/panel.module.css';
import { useTexts } from '../../../i18n/texts.ts';
import {
  badNumbers,
  type CoatingField,
  type CoatingQuery,
  NUMBER_LIMITS,
  type NumberField,
  writeCoatings,
} from '../coatings-address.ts';
import { coatingTexts } from '../texts.ts';
import classes from './coatings.module.css';

interface CoatingFormProps {
  /** From the address. */
  readonly query: CoatingQuery;
  readonly isBusy: boolean;
  readonly onSearch: (query: CoatingQuery) => void;
}

const FILTERS = ['from', 'to', 'gap', 'hull', 'including', 'without', 'elements', 'price'] as const;
const CONDITIONS = ['potential', 'limit'] as const;
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

export function CoatingForm({ query, isBusy, onSearch }: CoatingFormProps) {
  const { t } = useTexts(coatingTexts);
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
