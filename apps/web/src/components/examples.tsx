/** Example searches, one click each. */
import { Link } from 'react-router-dom';
import { useTexts } from '../i18n/texts.ts';
import classes from './panel.module.css';
import { componentTexts } from './texts.ts';

interface ExamplesProps {
  /** Label before the examples; "Try" by default. */
  readonly label?: string;
  /** The search text and its address. */
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
