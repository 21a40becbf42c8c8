/** Below a plot of many materials: the scale of its energies, where each number is told of, and which are bounds. */
import { Link } from 'react-router-dom';
import { useScaleName } from '../../../components/energy-scale/use-scale-name.ts';
import { METHODS, type MethodId } from '../../../components/provenance/methods.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { methodOfProperty, namesIn } from '../../../components/filter/filter-fields.ts';
import classes from '../search.module.css';
import { screenTexts } from '../texts.ts';

interface NumbersFromProps {
  /** The properties plotted. */
  readonly fields: readonly string[];
  readonly scale: string;
}

const BOUNDS: ReadonlySet<MethodId> = new Set(['hull', 'window']);

export function NumbersFrom({ fields, scale }: NumbersFromProps) {
  const { t, language } = useTexts(screenTexts);
  const nameOf = useScaleName();
  const methods = [...new Set(fields.flatMap(namesIn).flatMap((name) => methodOfProperty(name) ?? []))];
  return (
    <p className={classes.plotHint}>
      {t('numbersFrom', { scale: nameOf(scale) })}{' '}
      {methods.map((method, index) => (
        <span key={method}>
          {index > 0 && ', '}
          <Link to={`/methods#${method}`}>{METHODS[method].title[language]}</Link>
        </span>
      ))}
      {methods.some((method) => BOUNDS.has(method)) && <> · {t('numbersBound')}</>}
    </p>
  );
}
