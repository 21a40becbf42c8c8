/** Searches to begin with, one click each. */
import { Link } from 'react-router-dom';
import { useTexts } from '../i18n/texts.ts';
import classes from './panel.module.css';
import { componentTexts } from './texts.ts';

interface ExamplesProps {
  /** What stands before them; "Try" by default. */
  readonly label?: string;
  /** What is searched, and the address that searches it. */
  readonly examples: readonly { readonly name: string; readonly to: string }[];
}

export function Examples({ label, examples }: ExamplesProps) {
  const { t } = useTexts(componentTexts);
  return (
    <p className={`uc-row uc-hint ${classes.examples}`}>
      {label ?? t('tryOne')}
      {examples.map(({ name, to }) => (
        <Link
          key={to}
          to={to}
          preventScrollReset
          className={classes.example}
          translate={label ? undefined : 'no'}
        >
          {name}
        </Link>
      ))}
    </p>
  );
}
