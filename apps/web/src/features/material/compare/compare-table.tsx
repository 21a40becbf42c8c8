/** The comparison table: one row per quantity, one column per material; differences are marked. */
import type { MaterialDetail } from '@unitcell/contract/matdata';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Formula, formulaText } from '../../../components/formula.tsx';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { ScrollFrame } from '../../../components/scroll-frame.tsx';
import { SpaceGroup } from '../../../components/space-group.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { downloadText, toCsv } from '../../../lib/download.ts';
import { MISSING } from '../../../lib/format.ts';
import { detailTexts } from '../detail-texts.ts';
import { originOf } from '../sources-view-model.ts';
import { comparedRows, type ComparedCell, type ComparedRow } from './compare-rows.ts';
import classes from './compare.module.css';
import { compareTexts } from './texts.ts';

interface CompareTableProps {
  readonly materials: readonly MaterialDetail[];
  readonly scale: string;
  readonly onRemove: (id: number) => void;
}

export function CompareTable({ materials, scale, onRemove }: CompareTableProps) {
  const { t, language } = useTexts(compareTexts);
  const { t: td } = useTexts(detailTexts);
  const [onlyDiffering, setOnlyDiffering] = useState(false);
  const rows = comparedRows(materials, scale, language, t, td);
  const names = materials.map(({ formula }) => formulaText(formula)).join(', ');
  const save = (): void =>
    downloadText(
      `unitcell-compare-${materials.map(({ struct_id: id }) => id).join('-')}.csv`,
      toCsv(
        [t('quantity'), '', ...materials.map(({ formula, struct_id: id }) => `${formula} ${id}`)],
        rows.map(({ name, unit, cells }) => [name, unit, ...cells.map(({ text }) => text)]),
        [
          `scale: ${scale}`,
          ...materials.flatMap((material) =>
            originOf(material.sources).map(([label, text]) => `${material.struct_id} ${label}: ${text}`),
          ),
        ],
      ),
      'text/csv',
    );
  return (
    <>
      <p className={classes.tools}>
        <label className={`uc-line ${classes.only}`}>
          <input
            type="checkbox"
            checked={onlyDiffering}
            onChange={(event) => setOnlyDiffering(event.currentTarget.checked)}
          />
          {t('onlyDiffering')}
        </label>
        <button type="button" className={classes.button} onClick={save}>
          {t('csv')}
        </button>
      </p>
      <ScrollFrame>
        {/* Keyboard users must be able to focus a scrolling region. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <section className={classes.scroll} aria-label={t('table', { names })} tabIndex={0}>
          <table className={classes.table}>
            <thead>
              <tr>
                <td>
                  <span className="uc-visually-hidden">{t('quantity')}</span>
                </td>
                {materials.map(({ struct_id: id, formula, names: called }) => (
                  <th key={id} scope="col">
                    <Link to={`/matdatades/${id}`} className={classes.formula}>
                      <Formula text={formula} />
                    </Link>
                    <span className={classes.id}>{id}</span>
                    <button
                      type="button"
                      className={classes.remove}
                      aria-label={t('remove', { name: `${formulaText(formula)} (${id})` })}
                      onClick={() => onRemove(id)}
                    >
                      <span aria-hidden="true">×</span>
                    </button>
                    {/* Polymorphs have the same formula. */}
                    {called.en && <span className={classes.note}>{called[language] ?? called.en}</span>}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows
                .filter(({ differs }) => differs || !onlyDiffering)
                .map((row) => (
                  <tr key={row.id} data-differs={row.differs || undefined}>
                    <th scope="row">
                      {row.name}
                      {row.unit !== '' && <span className={classes.unit}> {row.unit}</span>}
                      {row.differs && (
                        <>
                          <span className={classes.mark} aria-hidden="true">
                            ≠
                          </span>
                          <span className="uc-visually-hidden">, {t('differs')}</span>
                        </>
                      )}
                    </th>
                    {row.cells.map((cell, place) => (
                      <td key={materials[place]!.struct_id}>
                        <Value
                          row={row}
                          cell={cell}
                          scale={scale}
                          release={materials[place]!.release?.id ?? null}
                        />
                      </td>
                    ))}
                  </tr>
                ))}
            </tbody>
          </table>
        </section>
      </ScrollFrame>
    </>
  );
}

interface ValueProps {
  readonly row: ComparedRow;
  readonly cell: ComparedCell;
  readonly scale: string;
  readonly release: number | null;
}

function Value({ row, cell, scale, release }: ValueProps) {
  if (cell.text === MISSING) return MISSING;
  if (row.notation === 'hermann-mauguin') return <SpaceGroup symbol={cell.text} />;
  if (row.notation === 'formula') return <Formula text={cell.text} />;
  if (!row.method) return cell.text;
  const isEnergy = row.method === 'hull' || row.method === 'formation';
  return (
    <>
      <SourcedValue
        name={row.name}
        method={row.method}
        source={cell.source}
        {...(isEnergy ? { scale, release } : {})}
      >
        {cell.text}
      </SourcedValue>
      {cell.note && <span className={classes.note}>{cell.note}</span>}
    </>
  );
}
