/** The form of the finder: A, B and the filters. */
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { IconArrowsExchange, IconUpload } from '@tabler/icons-react';
import { WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import { type FormEvent, useState } from 'react';
import { InlineFailure } from '../../../components/failure.tsx';
import { formulaText } from '../../../components/formula.tsx';
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

/** A file is read in the browser; only its formula is sent, because reactions depend on nothing else. */
type FileNote = { readonly name: string; readonly formula: string } | { readonly problem: string } | null;

export function CoatingForm({ query, isBusy, onSearch }: CoatingFormProps) {
  const { t } = useTexts(coatingTexts);
  const [typed, setTyped] = useState({ ...query, of: query });
  const [note, setNote] = useState<FileNote>(null);
  // Back and forward change the address; the form follows.
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
    try {
      const { formulaOfFile } = await import('../formula-of-file.ts');
      const formula = await formulaOfFile(file);
      setTyped((now) => ({ ...now, [side]: formula }));
      setNote({ name: file.name, formula });
    } catch {
      setNote({ problem: t('badFile', { name: file.name }) });
    }
  }
  const textField = (field: CoatingField) => {
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
  const partner = (side: 'a' | 'b') => (
    <div className={classes.partner}>
      <TextInput
        size="md"
        label={t(side)}
        placeholder={t(side === 'a' ? 'placeholderA' : 'placeholderB')}
        value={typed[side]}
        maxLength={200}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setTyped({ ...typed, [side]: event.currentTarget.value })}
      />
      <label className={`uc-line uc-hint ${classes.file}`}>
        <IconUpload size={14} aria-hidden="true" />
        {t('file', { side: t(side) })}
        <input
          className="uc-visually-hidden"
          type="file"
          accept=".cif,.mcif,.vasp,.poscar,.txt"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            event.currentTarget.value = '';
            if (file) void takeFile(side, file);
          }}
        />
      </label>
    </div>
  );
  return (
    <form onSubmit={submit}>
      <div className={`uc-wrap ${page.toolForm} ${classes.partners}`}>
        {partner('a')}
        <Button
          type="button"
          variant="default"
          size="md"
          className={classes.swap}
          aria-label={t('swap')}
          title={t('swap')}
          onClick={() => setTyped({ ...typed, a: typed.b, b: typed.a })}
        >
          <IconArrowsExchange size={18} aria-hidden="true" />
        </Button>
        {partner('b')}
        <Button type="submit" size="md" className={classes.swap} disabled={!isReady} loading={isBusy}>
          {t('search')}
        </Button>
      </div>
      <p className={`uc-hint ${page.toolHint}`}>{t('hint')}</p>
      {note !== null && 'formula' in note && (
        <p className={`uc-note ${page.toolHint}`}>
          {t('fromFile', { name: note.name, formula: formulaText(note.formula) })}
        </p>
      )}
      {note !== null && 'problem' in note && (
        <p className={page.toolHint}>
          <InlineFailure error={note.problem} />
        </p>
      )}
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
    </form>
  );
}
