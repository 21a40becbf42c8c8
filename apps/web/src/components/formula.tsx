/** A chemical formula with real subscripts, read aloud and copied as plain text. */
import { formulaParts } from '@unitcell/crystal';
import classes from './panel.module.css';

export function Formula({ text }: { readonly text: string }) {
  return (
    <span className={classes.formula} translate="no">
      {formulaParts(text).map((part, index) =>
        part.isSubscript ? (
          // The parts of a formula never reorder, so the index is a safe key.
          // oxlint-disable-next-line react/no-array-index-key
          <sub key={index}>{part.text}</sub>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key
          <span key={index}>{part.text}</span>
        ),
      )}
    </span>
  );
}

const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';

/** The same as text for titles and tooltips: `TiO₂`. */
export const formulaText = (formula: string): string =>
  formulaParts(formula)
    .map((part) =>
      part.isSubscript ? part.text.replace(/\d/g, (digit) => SUBSCRIPTS[Number(digit)] ?? digit) : part.text,
    )
    .join('');
