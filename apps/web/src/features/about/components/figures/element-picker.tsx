/** The search at work in small: a corner of the periodic table with a chemical system picked. The text beside it says the same. */
import { findElement } from '@unitcell/elements';
import classes from '../home.module.css';

const ROWS = [
  ['Li', 'Be', '', '', '', '', '', 'B', 'C', 'N', 'O', 'F'],
  ['Na', 'Mg', '', '', '', '', '', 'Al', 'Si', 'P', 'S', 'Cl'],
  ['K', 'Ca', 'Sc', 'Ti', 'V', 'Cr', 'Mn', 'Ga', 'Ge', 'As', 'Se', 'Br'],
  ['Rb', 'Sr', 'Y', 'Zr', 'Nb', 'Mo', 'Tc', 'In', 'Sn', 'Sb', 'Te', 'I'],
];
const PICKED = new Set(['Ti', 'O']);

export function ElementPicker() {
  return (
    <div className={classes.picker} aria-hidden="true">
      <div className={classes.box} translate="no">
        Ti-O
        <span className={classes.caret} />
      </div>
      <div className={classes.elementPickerGrid}>
        {ROWS.flatMap((row, r) =>
          row.map((symbol, c) => {
            const element = findElement(symbol);
            return (
              element && (
                <span
                  key={symbol}
                  className={classes.tile}
                  data-picked={PICKED.has(symbol) || undefined}
                  style={{
                    gridRow: r + 1,
                    gridColumn: c + 1,
                    ['--hue' as string]: `var(--uc-cat-${element.category})`,
                  }}
                >
                  {symbol}
                </span>
              )
            );
          }),
        )}
      </div>
    </div>
  );
}
