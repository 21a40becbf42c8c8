/** Searches to begin with, one click each. */
import { Link } from 'react-router-dom';
import { useTexts } from '../i18n/texts.ts';
import classes from './panel.module.css';
import { componentTexts } from './texts.ts';

interface ExamplesProps {
  /** What is searched, and the address that searches it. */
  readonly examples: readonly { readonly name: string; readonly to: string }[];
}

export function Examples({ examples }: ExamplesProps) {
  const { t } = useTexts(componentTexts);
  return (
    <p className={classes.examples}>
      {t('tryOne')}
      {examples.map(({ name, to }) => (
        <Link key={to} to={to} preventScrollReset className={classes.example} translate="no">
          {name}
        </Link>
      ))}
    </p>
  );
}
