/** Where a scale contradicts experiment, a sentence each with its source. */
import type { ScaleFailure } from '@unitcell/contract';
import { useTexts } from '../../i18n/texts.ts';
import { formulaText } from '../formula.tsx';
import { Notice } from '../notice.tsx';
import { statementIn } from '../provenance/statement.ts';
import classes from './scale-trust.module.css';
import { scaleTrustTexts } from './texts.ts';

/** Formulas stand in running text: `TiO2` → TiO₂. */
const withSubscripts = (text: string): string =>
  text.replace(/\b(?:[A-Z][a-z]?\d*){2,}\b/g, (word) => formulaText(word));

interface ScaleFailuresProps {
  readonly failures: readonly ScaleFailure[];
  /** The material whose page this is on, which needs no link. */
  readonly ownId?: number;
}

export function ScaleFailures({ failures, ownId }: ScaleFailuresProps) {
  const { language } = useTexts(scaleTrustTexts);
  if (failures.length === 0) return null;
  return (
    <Notice kind="warning">
      {failures.map(({ struct_id: id, text, source }) => (
        <p key={text.en} className={classes.failure}>
          {id !== ownId && <a href={`/matdatades/${id}`}>#{id}</a>} {withSubscripts(text[language])}{' '}
          <small className={classes.source}>{statementIn(source, language)}</small>
        </p>
      ))}
    </Notice>
  );
}
