/** Columns that visitors calculate from others, `[bulk_modulus / density]`: their units, and the section of the rail that makes them. */
import { screenMaterials } from '@unitcell/contract/calls';
import { useMutation } from '@tanstack/react-query';
import { createContext, type FormEvent, type ReactNode, useCallback, useContext, useState } from 'react';
import { useFailure } from '../../../components/failure.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import { fieldLabel, fieldUnit, NUMBER_PROPERTIES } from './rail-fields.ts';
import classes from './rail.module.css';
import { screenTexts } from './texts.ts';

interface Calculated {
  /** In square brackets. */
  readonly names: readonly string[];
  /** Of those that an answer has told. */
  readonly units: Readonly<Record<string, string>>;
}

/** The calculated columns of the page. */
export const CalculatedContext = createContext<Calculated>({ names: [], units: {} });

/** Every number that can be plotted, with what is calculated. */
export const useNumberNames = (): readonly string[] => [
  ...useContext(CalculatedContext).names,
  ...NUMBER_PROPERTIES,
];

/** The unit of a column, empty where it has none. */
export function useFieldUnit(): (name: string) => string {
  const { units } = useContext(CalculatedContext);
  return useCallback((name) => units[name] ?? fieldUnit(name), [units]);
}

/** `Band gap (eV)` */
export function useFieldTitle(): (name: string) => string {
  const { language } = useTexts(screenTexts);
  const unitOf = useFieldUnit();
  return useCallback(
    (name) => {
      const unit = unitOf(name);
      return `${fieldLabel(name, language)}${unit === '' ? '' : ` (${unit})`}`;
    },
    [language, unitOf],
  );
}

interface CalculatedColumnsProps {
  readonly onAdd: (name: string) => void;
  readonly onRemove: (name: string) => void;
  /** The filter of one column. */
  readonly rangeOf: (name: string) => ReactNode;
}

export function CalculatedColumns({ onAdd, onRemove, rangeOf }: CalculatedColumnsProps) {
  const { t, language } = useTexts(screenTexts);
  const { names } = useContext(CalculatedContext);
  const sentence = useFailure();
  const [typed, setTyped] = useState('');
  const name = `[${typed.trim()}]`;
  // The site reads the expression before it becomes a column: what is wrong is said beside the box.
  const add = useMutation({
    mutationFn: async (field: string) =>
      expectOutcome(await callApi(screenMaterials, { fields: [field], limit: 0 })),
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
          <p className={classes.problem} role="alert">
            {sentence(add.error)}
          </p>
        )}
        <p className={classes.note}>{t('expressionHint')}</p>
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
