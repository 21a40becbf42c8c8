/** Typesets a balanced equation from the server (`0.0833 Li3PS4 + … → …`), with fractions where they are exact. */
import { balancedFractions, fractionText } from '../lib/exact-fractions.ts';
import { Formula } from './formula.tsx';
import classes from './table.module.css';

const TERM = /^(?:([\d.]+) )?(.+)$/;

interface Term {
  readonly written: string;
  readonly amount: number;
  readonly formula: string;
}

const termsOf = (side: string): readonly Term[] =>
  side
    .split(' + ')
    .filter((term) => term.trim() !== '')
    .map((term) => {
      const [, written = '', formula = term] = TERM.exec(term) ?? [];
      return { written, amount: written === '' ? 1 : Number(written), formula };
    });

const Side = ({ terms, amounts }: { readonly terms: readonly Term[]; readonly amounts: readonly string[] }) =>
  terms.map(({ formula }, index) => (
    <span key={formula}>
      {index > 0 && ' + '}
      <span className={classes.whole}>
        {amounts[index] !== '' && `${amounts[index]} `}
        <Formula text={formula} />
      </span>
    </span>
  ));

export function ReactionEquation({ text }: { readonly text: string }) {
  const [left = '', right] = text.split(' → ');
  const [from, into] = [termsOf(left), termsOf(right ?? '')];
  const fractions = right === undefined ? null : balancedFractions(from, into);
  const amounts = [...from, ...into].map(({ written }, index) => {
    const fraction = fractions?.[index];
    if (!fraction) return written;
    return fraction.numerator === fraction.denominator ? '' : fractionText(fraction);
  });
  return (
    <>
      <Side terms={from} amounts={amounts.slice(0, from.length)} />
      {right !== undefined && (
        <>
          {' → '}
          <Side terms={into} amounts={amounts.slice(from.length)} />
        </>
      )}
    </>
  );
}
