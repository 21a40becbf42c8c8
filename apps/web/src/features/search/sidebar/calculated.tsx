/** Sidebar section for columns calculated from others, such as `[bulk_modulus / density]`. */
import { screenMaterials } from '@unitcell/contract/calls';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useContext, useState } from 'react';
import { InlineFailure } from '../../../components/failure.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { answerTo } from '../../../lib/api-client.ts';
import {
  CalculatedContext,
  fieldLabel,
  NUMBER_PROPERTIES,
} from '../../../components/filter/filter-fields.ts';
import classes from '../search.module.css';
import { screenTexts } from '../texts.ts';

interface CalculatedColumnsProps {
  readonly onAdd: (name: string) => void;
  readonly onRemove: (name: string) => void;
  /** The filter of one calculated column. */
  readonly rangeOf: (name: string) => ReactNode;
}

export function CalculatedColumns({ onAdd, onRemove, rangeOf }: CalculatedColumnsProps) {
  const { t, language } = useTexts(screenTexts);
  const { names } = useContext(CalculatedContext);
  const [typed, setTyped] = useState('');
  const name = `[${typed.trim()}]`;
  // The server validates the expression before it becomes a column; errors are shown beside the box.
  const add = useMutation({
    mutationFn: (field: string) => answerTo(screenMaterials, { fields: [field], limit: 0 }),
    onSuccess: (_, field) => {
      setTyped('');
      onAdd(field);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (typed.trim() !== '') add.mutate(name);
  };
  return (
    <>
      <form className={classes.words} onSubmit={submit}>
        <input
          aria-label={t('expression')}
          placeholder="bulk_modulus / density"
          list="calculated-names"
          maxLength={198}
          spellCheck={false}
          autoCapitalize="none"
          translate="no"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <datalist id="calculated-names">
          {NUMBER_PROPERTIES.map((property) => (
            <option key={property} value={property}>
              {fieldLabel(property, language)}
            </option>
          ))}
        </datalist>
        {add.isError && (
          <div className={classes.problem}>
            <InlineFailure error={add.error} />
          </div>
        )}
        <p className={`uc-fine ${classes.note}`}>{t('expressionHint')}</p>
        <button
          type="submit"
          className={classes.apply}
          disabled={typed.trim() === '' || names.includes(name) || add.isPending}
        >
          {t('addColumn')}
        </button>
      </form>
      {names.map((own) => (
        <div key={own} className={classes.calculated}>
          <p className={classes.calculatedName}>
            <span translate="no">{fieldLabel(own, language)}</span>
            <button
              type="button"
              className={classes.removeColumn}
              aria-label={t('removeColumn', { name: fieldLabel(own, language) })}
              onClick={() => onRemove(own)}
            >
              ×
            </button>
          </p>
          {rangeOf(own)}
        </div>
      ))}
    </>
  );
}
