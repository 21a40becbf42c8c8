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

/** A formula as text for titles and tooltips: `TiO₂`. */
export const formulaText = (formula: string): string =>
  formulaParts(formula)
    .map((part) =>
      part.isSubscript ? part.text.replace(/\d/g, (digit) => SUBSCRIPTS[Number(digit)] ?? digit) : part.text,
    )
    .join('');

/** A sentence from the server in which the listed formulas get subscripts. */
export function WithFormulas({
  text,
  formulas,
}: {
  readonly text: string;
  readonly formulas: readonly string[];
}) {
  const longestFirst = [...new Set(formulas)].filter(Boolean).sort((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return text;
  const escaped = longestFirst.map((formula) => formula.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  // Ignores matches inside longer words. The capture group puts the matches at odd indices.
  const parts = text.split(new RegExp(`(?<![A-Za-z\\d])(${escaped.join('|')})(?![A-Za-z\\d])`));
  return parts.map((part, index) =>
    // The parts of a sentence never reorder, so the index is a safe key.
    // oxlint-disable-next-line react/no-array-index-key
    index % 2 === 1 ? <Formula key={index} text={part} /> : <span key={index}>{part}</span>,
  );
}
