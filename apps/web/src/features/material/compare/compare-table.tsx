/** The comparison table: one row per quantity, one column per material; differences are marked. */
import type { MaterialDetail, SectionSource } from '@unitcell/contract/matdata';
import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { withScale } from '../../../components/energy-scale/energy-scale.tsx';
import { Formula, formulaText } from '../../../components/formula.tsx';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { ScrollFrame } from '../../../components/scroll-frame.tsx';
import { SpaceGroup } from '../../../components/space-group.tsx';
import { useTexts, type Translate } from '../../../i18n/texts.ts';
import { downloadText, toCsv } from '../../../lib/download.ts';
import { MISSING, formatNumber } from '../../../lib/format.ts';
import { detailTexts } from '../detail-texts.ts';
import { originOf, sourceOf } from '../sources-view-model.ts';
import classes from './compare.module.css';
import { compareTexts } from './texts.ts';
import { COMPARED_NUMBERS, fields, optionText } from '@unitcell/material';
import type { MethodId } from '../../../components/provenance/methods.ts';
import type { Language } from '../../../i18n/i18n.ts';
import { hullText, numberFact, gapLabel, gapText, sourceOfGap } from '../detail-view-model.ts';
import { dielectricDecimals } from '../sections/tensor-view-model.ts';

export interface CompareTableProps {
  readonly materials: readonly MaterialDetail[];
  readonly scale: string;
  readonly onRemove: (id: number) => void;
}

/** Replaces the minus sign (U+2212) and the sign of a missing value, which programs cannot read. */
const inFile = ({ text }: ComparedCell): string => (text === MISSING ? '' : text.replace('\u2212', '-'));

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
        rows.map(({ name, unit, cells }) => [name, unit, ...cells.map(inFile)]),
        [
          `scale: ${scale}`,
          ...materials.flatMap(({ struct_id: id, release, sources }) =>
            [
              ...(release ? [['release', `${release.id} of ${release.date}`] as const] : []),
              ...originOf(sources),
            ].map(([label, text]) => `${id} ${label}: ${text}`),
          ),
        ],
      ),
      'text/csv',
    );
  return (
    <>
      <div className={`uc-row ${classes.tools}`}>
        <Checkbox
          label={t('onlyDiffering')}
          checked={onlyDiffering}
          onChange={(event) => setOnlyDiffering(event.currentTarget.checked)}
        />
        <Button variant="default" onClick={save}>
          {t('csv')}
        </Button>
      </div>
      <ScrollFrame>
        {/* Keyboard users must be able to focus a scrolling region. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <section className={classes.scroll} aria-label={t('table', { names })} tabIndex={0}>
          <table className={`uc-table ${classes.table}`}>
            <thead>
              <tr>
                <td>
                  <span className="uc-visually-hidden">{t('quantity')}</span>
                </td>
                {materials.map(({ struct_id: id, formula, names: called }) => (
                  <th key={id} scope="col">
                    <Link to={withScale(`/matdatades/${id}`, scale || null)} className={classes.formula}>
                      <Formula text={formula} />
                    </Link>
                    <span className={classes.whole}>
                      <span className={classes.id}>{id}</span>
                      <button
                        type="button"
                        className={classes.remove}
                        aria-label={t('remove', { name: `${formulaText(formula)} (${id})` })}
                        onClick={() => onRemove(id)}
                      >
                        <span aria-hidden="true">×</span>
                      </button>
                    </span>
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

// ── The rows of a comparison, and which of them differ ──

interface ComparedCell {
  /** Formatted value; `-` if unknown. */
  readonly text: string;
  /** Shown below the number if there are several values: tells which of them it is. */
  readonly note?: string;
  readonly source?: SectionSource | undefined;
}

interface ComparedRow {
  readonly id: string;
  readonly name: string;
  readonly unit: string;
  /** Method of the values; undefined for a name or a symbol. */
  readonly method?: MethodId;
  /** Typographic notation of the value. */
  readonly notation?: 'hermann-mauguin' | 'formula' | undefined;
  readonly cells: readonly ComparedCell[];
  /** True if known values differ; missing values do not count. */
  readonly differs: boolean;
}

interface RowRule {
  readonly id: string;
  readonly name: string;
  readonly unit?: string;
  readonly method?: MethodId;
  readonly notation?: ComparedRow['notation'];
  readonly of: (material: MaterialDetail) => ComparedCell;
}

type T = Translate<(typeof compareTexts)['en']>;
type DetailT = Translate<(typeof detailTexts)['en']>;

const number = (value: number | null | undefined, decimals = 3): string => formatNumber(value, { decimals });

/** @param scale the scale on which energies are compared; values of other scales count as missing */
function rulesOf(language: Language, scale: string, t: T, td: DetailT): readonly RowRule[] {
  const label = (name: keyof typeof fields): string => fields[name].label[language];
  const plain = (
    id: string,
    name: string,
    of: (material: MaterialDetail) => string,
    more: Partial<RowRule> = {},
  ): RowRule => ({ id, name, of: (material) => ({ text: of(material) || MISSING }), ...more });
  const sourced = (
    id: string,
    name: string,
    unit: string,
    method: MethodId,
    of: (material: MaterialDetail) => string,
    section: SectionSource['section'],
  ): RowRule => ({
    id,
    name,
    unit,
    method,
    of: (material) => ({ text: of(material), source: sourceOf(material, section) }),
  });
  const energy = (
    id: 'e_above_hull' | 'formation_energy_per_atom',
    name: string,
    method: MethodId,
  ): RowRule => ({
    id,
    name,
    unit: 'eV/atom',
    method,
    of: (material) => {
      const on = material.energy_scales.find(({ functional }) => functional === scale);
      return {
        text: id === 'e_above_hull' ? hullText(on?.[id], on?.completeness) : number(on?.[id]),
        source: sourceOf(material, 'energy', scale),
      };
    },
  });
  const elastic =
    (name: 'k_vrh' | 'g_vrh' | 'y_mod' | 'homogeneous_poisson', decimals: number) =>
    (material: MaterialDetail): string =>
      number(material.elastic_dict.elastic_property?.[name], decimals);
  const dielectric =
    (name: 'epsilon_electron' | 'epsilon_total' | 'refractive_index') =>
    (material: MaterialDetail): string => {
      const property = material.epsilon_piezo.epsilon_piezo_data.dielectric_property;
      return property ? number(property[name], dielectricDecimals(property)[name]) : MISSING;
    };
  return [
    plain('space_group', label('spaceGroup'), ({ symmetry_data: { space_group } }) => space_group, {
      notation: 'hermann-mauguin',
    }),
    plain('crystal_system', label('crystalSystem'), ({ symmetry_data: { crystal_system } }) =>
      optionText('crystalSystem', crystal_system, language),
    ),
    plain('anonymous', label('formulaAnonymous'), ({ structures }) => anonymous(structures), {
      notation: 'formula',
    }),
    plain('observed', td('observedTitle'), ({ observed: { status } }) =>
      optionText('observed', status, language),
    ),
    energy('e_above_hull', label('energyAboveHull'), 'hull'),
    energy('formation_energy_per_atom', label('formationEnergyPerAtom'), 'formation'),
    {
      id: 'gap',
      name: label('bandGap'),
      unit: 'eV',
      method: 'gap',
      of: (material) => {
        const [gap] = material.band_gaps;
        if (!gap) return { text: MISSING };
        const source = sourceOfGap(material, gap);
        return { text: gapText(gap, language), note: gapLabel(gap, source, td), source };
      },
    },
    sourced(
      'density',
      label('density'),
      'g/cm³',
      'density',
      ({ density }) => number(density, 2),
      'structure',
    ),
    sourced('nsites', label('nSites'), '', 'cell', ({ nsites }) => String(nsites), 'structure'),
    ...(['a', 'b', 'c'] as const).map((edge) =>
      sourced(edge, edge, 'Å', 'cell', ({ lattice }) => number(lattice[edge]), 'structure'),
    ),
    ...(
      [
        ['alpha', 'α'],
        ['beta', 'β'],
        ['gamma', 'γ'],
      ] as const
    ).map(([angle, name]) =>
      sourced(angle, name, '°', 'cell', ({ lattice }) => number(lattice[angle], 2), 'structure'),
    ),
    sourced('volume', t('volume'), 'Å³', 'cell', ({ lattice }) => number(lattice.volume, 2), 'structure'),
    sourced('k', label('bulkModulus'), 'GPa', 'elastic', elastic('k_vrh', 1), 'elastic'),
    sourced('g', label('shearModulus'), 'GPa', 'elastic', elastic('g_vrh', 1), 'elastic'),
    sourced('young', t('young'), 'GPa', 'elastic', elastic('y_mod', 1), 'elastic'),
    sourced('poisson', t('poisson'), '', 'elastic', elastic('homogeneous_poisson', 3), 'elastic'),
    sourced('eps', label('dielectricTotal'), '', 'dielectric', dielectric('epsilon_total'), 'dielectric'),
    sourced(
      'epsInf',
      label('dielectricElectronic'),
      '',
      'dielectric',
      dielectric('epsilon_electron'),
      'dielectric',
    ),
    sourced('n', t('refractive'), '', 'dielectric', dielectric('refractive_index'), 'dielectric'),
    ...COMPARED_NUMBERS.map((name): RowRule => {
      const { column, unit, method } = fields[name];
      return {
        id: column,
        name: label(name),
        unit,
        method,
        of: (material) => {
          const { value, source } = numberFact(material, name);
          return { text: number(value), source };
        },
      };
    }),
    plain('source', label('sourceName'), ({ source: { name, id } }) => `${name} ${id}`.trim()),
    plain('licence', label('sourceLicence'), ({ source: { licence } }) => licence),
  ];
}

/** The anonymous formula of the cell: `ABC3`. */
function anonymous({ primitive }: MaterialDetail['structures']): string {
  const amounts = new Map<string, number>();
  for (const { species } of primitive.sites)
    for (const { element, occu } of species) amounts.set(element, (amounts.get(element) ?? 0) + occu);
  const sorted = [...amounts.values()].sort((a, b) => a - b);
  const divides = (by: number): boolean => sorted.every((amount) => Number.isInteger(amount / by));
  const [least = 1] = sorted;
  const common = Array.from({ length: Math.max(1, Math.floor(least)) }, (_, i) => Math.floor(least) - i).find(
    (by) => by > 0 && divides(by),
  );
  return sorted
    .map((amount, place) => {
      const n = amount / (common ?? 1);
      return `${String.fromCharCode(65 + place)}${n === 1 ? '' : Number(n.toFixed(3))}`;
    })
    .join('');
}

/** Rows with a value for at least one material. */
export function comparedRows(
  materials: readonly MaterialDetail[],
  scale: string,
  language: Language,
  t: T,
  td: DetailT,
): readonly ComparedRow[] {
  return rulesOf(language, scale, t, td).flatMap(({ of, unit = '', ...rule }) => {
    const cells = materials.map(of);
    const known = cells.filter(({ text }) => text !== MISSING);
    if (known.length === 0) return [];
    return [{ ...rule, unit, cells, differs: new Set(known.map(({ text }) => text)).size > 1 }];
  });
}
