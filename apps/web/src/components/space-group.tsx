/** A Hermann–Mauguin symbol in print notation: italic letters, screw axes as subscripts, overlined inversion axes. */
import { Fragment } from 'react';
import classes from './panel.module.css';

interface SymbolPart {
  readonly text: string;
  readonly kind: 'letter' | 'upright' | 'sub' | 'overline';
}

const PART = /_(\d)|-(\d)|([A-Za-z])|([^_A-Za-z-]+|[_-])/g;

/** `P4_2/mnm` gives P 4 ₂ /mnm; `Fm-3m` gives F m 3̄ m. */
export function spaceGroupParts(symbol: string): readonly SymbolPart[] {
  return Array.from(symbol.matchAll(PART), ([whole, screw, inversion, letter]): SymbolPart => {
    if (screw !== undefined) return { text: screw, kind: 'sub' };
    if (inversion !== undefined) return { text: inversion, kind: 'overline' };
    return { text: whole, kind: letter === undefined ? 'upright' : 'letter' };
  });
}

export function SpaceGroup({ symbol }: { readonly symbol: string }) {
  if (symbol.trim() === '') return <>-</>;
  return (
    <span className={classes.symbol} translate="no">
      <span className="uc-visually-hidden">{symbol}</span>
      <span aria-hidden="true">
        {spaceGroupParts(symbol).map((part, index) => {
          const key = `${index}${part.text}`;
          if (part.kind === 'sub') return <sub key={key}>{part.text}</sub>;
          if (part.kind === 'overline')
            return (
              <span key={key} className={`${classes.upright} ${classes.overline}`}>
                {part.text}
              </span>
            );
          if (part.kind === 'upright')
            return (
              <span key={key} className={classes.upright}>
                {part.text}
              </span>
            );
          return <Fragment key={key}>{part.text}</Fragment>;
        })}
      </span>
    </span>
  );
}
