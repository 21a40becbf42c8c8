/**
 * The Pourbaix diagram with its key, the stable species at a point, missing species, and tables of regions and species.
 */
import { Checkbox } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type {
  PourbaixRegionAnswer,
  PourbaixResult as Answer,
  PourbaixSpeciesAnswer,
} from '@unitcell/contract/stability';
import { type MouseEvent, useCallback, useState } from 'react';
import { AnswerTools } from '../../../components/copy-as-code/copy-as-code.tsx';
import { type DataColumn, numberColumn } from '../../../components/data-table/columns.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { useProvenance, withScale } from '../../../components/energy-scale/energy-scale.tsx';
import { formulaText } from '../../../components/formula.tsx';
import { ownCrystalTexts, PredictedEnergy } from '../../../components/own-crystal.tsx';
import { usePointedPhase } from '../../../components/pointed-phase.ts';
import { joined, useTexts } from '../../../i18n/texts.ts';
import type { SentRequest } from '../../../lib/api-client.ts';
import { scientificText } from '../../../lib/scientific.ts';
import type { ChartColors } from '../../../viz/plot/chart-theme.ts';
import type { PaperSize } from '../../../viz/plot/drawing.tsx';
import { Plot } from '../../../viz/plot/plot.tsx';
import type { PourbaixInput } from '../pourbaix-address.ts';
import {
  MAP_LEVELS,
  hasMapArea,
  POURBAIX_MARGIN,
  pourbaixFigure,
  readPoint,
  REGION_KINDS,
  regionText,
  speciesText,
} from '../pourbaix-figure.ts';
import { pourbaixTexts } from '../pourbaix-texts.ts';
import { RadioactiveNote } from './elements-form.tsx';
import { PourbaixReading, type ReadPoint } from './pourbaix-reading.tsx';
import page from '../../../components/panel.module.css';
import classes from './pourbaix.module.css';
import shared from './stability.module.css';

const HEIGHT = 560;
/** Padding in px of the panel around the drawing. */
const FRAME = 34;
/** Elements that are gases at 25 °C; the catalogue has them as crystals. */
const GASES = /^(?:F|Cl|N)2$/;
/** Maximum number of missing solids listed by name. */
const MOST_NAMED = 12;

/** The point under a pointer; null outside the axes. */
function pointUnder(event: MouseEvent<HTMLElement>, { window: shown }: Answer): ReadPoint | null {
  const drawing = event.currentTarget.querySelector('[role="img"] svg')?.getBoundingClientRect();
  if (drawing === undefined) return null;
  const { l, r, t, b } = POURBAIX_MARGIN;
  const x = (event.clientX - drawing.left - l) / (drawing.width - l - r);
  const y = (event.clientY - drawing.top - t) / (drawing.height - t - b);
  if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1)) return null;
  const ph = shown.ph_min + x * (shown.ph_max - shown.ph_min);
  const volts = shown.potential_max - y * (shown.potential_max - shown.potential_min);
  return { ph: Math.round(ph * 100) / 100, volts: Math.round(volts * 1000) / 1000 };
}

interface PourbaixResultProps {
  readonly result: Answer;
  readonly input: PourbaixInput;
  readonly sent: SentRequest;
  readonly onReading: (at: ReadPoint) => void;
  readonly isStale: boolean;
}

export function PourbaixResult({ result, input, sent, onReading, isStale }: PourbaixResultProps) {
  const { t } = useTexts(pourbaixTexts);
  const provenance = useProvenance()(result);
  const [pointed, setPointed] = useState<ReadPoint | null>(null);
  const [hasMap, setMap] = useState(true);
  const { formula: marked, point } = usePointedPhase();
  /** The solid of the region at a point; null for dissolved elements. */
  const solidAt = (at: ReadPoint): string | null =>
    readPoint(result, at.ph, at.volts)
      .region?.species.map(({ index }) => result.species[index])
      .find((species) => species?.phase === 'solid')?.formula ?? null;
  const { window: shown, compound, elements, regions } = result;
  const within = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
  const ph = within(input.ph, shown.ph_min, shown.ph_max);
  const volts = within(input.volts, shown.potential_min, shown.potential_max);
  const isMeasured = result.energies === 'measured';
  const { ref: frame, width } = useElementSize<HTMLDivElement>();
  const figure = useCallback(
    (colors: ChartColors, paper?: PaperSize) =>
      pourbaixFigure(
        { result, reading: { ph, volts }, hasMap, marked },
        {
          phAxis: t('phAxis'),
          potentialAxis: t('potentialAxis'),
          provenance: isMeasured ? 'NBS, NIST-JANAF, FREED' : provenance,
        },
        colors,
        paper ?? { width: Math.max(200, width - FRAME), height: HEIGHT },
      ),
    [result, ph, volts, hasMap, marked, isMeasured, provenance, width, t],
  );
  const name = `pourbaix-${elements.join('-')}`;
  const { region } = readPoint(result, ph, volts);
  const table = () => ({
    header: ['region', 'species', 'kind', 'pH', 'V_SHE'],
    rows: regions.flatMap((one, index) =>
      one.corners.map(({ ph: x, potential }) => [index + 1, plainText(result, one), one.kind, x, potential]),
    ),
  });
  return (
    <div className={page.toolResult} data-stale={isStale || undefined}>
      <Remarks result={result} />
      <CompoundOrigin result={result} energy={input.compoundEnergy} scale={input.scale} />
      {/* The boxes of the reading do the same from a keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        ref={frame}
        onPointerMove={(event) => {
          const at = pointUnder(event, result);
          setPointed(at);
          point(at && solidAt(at));
        }}
        onPointerLeave={() => {
          setPointed(null);
          point(null);
        }}
        onClick={(event) => {
          const at = pointUnder(event, result);
          if (at !== null) onReading(at);
        }}
      >
        <Plot
          figure={figure}
          name={name}
          height={HEIGHT}
          summary={t('summary', {
            elements: elements.join(', '),
            count: regions.length,
            ph,
            volts,
            stable: region === undefined ? '' : regionText(result, region),
          })}
          table={table}
        />
      </div>
      <Key result={result} hasMap={hasMap} />
      {compound !== null && hasMapArea(result) && (
        <Checkbox
          label={t('showMap')}
          checked={hasMap}
          onChange={(event) => setMap(event.currentTarget.checked)}
        />
      )}
      <PourbaixReading
        result={result}
        energy={input.compoundEnergy}
        kept={{ ph, volts }}
        pointed={pointed}
        onChange={onReading}
      />
      <p className="uc-note">
        {joined(
          t('hint'),
          t('temperature'),
          isMeasured && t('solidsMeasured'),
          t('ionsOrigin', {
            concentrations: result.concentrations
              .map(
                (value, index) =>
                  `c(${elements[index]}) = ${value < 0.001 ? scientificText(value) : value} mol/l`,
              )
              .join(', '),
          }),
          !isMeasured && t('ionsTied'),
          result.species.some(({ phase, reference }) => phase === 'solid' && reference !== null) &&
            t('waterTied'),
        )}
      </p>
      <Regions result={result} name={name} />
      <Species result={result} name={name} scale={input.scale} />
      <div className={`uc-row ${shared.tools}`}>
        <AnswerTools sent={sent} answer={result} name={name} />
      </div>
    </div>
  );
}

const plainText = ({ species }: Answer, region: Pick<PourbaixRegionAnswer, 'species'>): string =>
  region.species.map(({ index }) => species[index]?.formula ?? '').join(' + ');

/** Species that are missing from the diagram. */
function Remarks({ result: { missing, elements } }: { readonly result: Answer }) {
  const { t } = useTexts(pourbaixTexts);
  const { ions, references, solids } = missing;
  const named = solids.slice(0, MOST_NAMED).map(formulaText).join(', ');
  const rest = solids.length - MOST_NAMED;
  return (
    <div className={`uc-stack ${shared.remarks}`}>
      <RadioactiveNote elements={elements} />
      {ions.length > 0 && <p className="uc-note">{t('noIons', { elements: ions.join(', ') })}</p>}
      {references.map(({ element, solid }) => (
        <p key={element} className="uc-note">
          {element === 'H' ? t('noWater') : t('noReference', { element, solid: formulaText(solid) })}
        </p>
      ))}
      {solids.length > 0 && (
        <p className="uc-note">
          {t('noSolids', { solids: rest > 0 ? t('moreSolids', { solids: named, count: rest }) : named })}
        </p>
      )}
    </div>
  );
}

/** The source of the energy of the placed compound. */
function CompoundOrigin({
  result: { compound },
  energy,
  scale,
}: {
  readonly result: Answer;
  readonly energy: PourbaixInput['compoundEnergy'];
  readonly scale: string | null;
}) {
  const { t } = useTexts(pourbaixTexts);
  const { t: ofCrystal } = useTexts(ownCrystalTexts);
  if (compound === null) return null;
  const { formula, struct_id: id } = compound;
  return (
    <p className="uc-note">
      <strong>{t('placed', { formula: formulaText(formula) })}</strong>{' '}
      {id !== null ? (
        <>
          {t('ofCatalogue')}{' '}
          <a href={withScale(`/matdatades/${id}`, scale)} target="_blank" rel="noopener">
            {ofCrystal('openKnown', { id })}
          </a>
        </>
      ) : energy !== null && energy.low < energy.high ? (
        <>
          <PredictedEnergy energy={energy} /> {t('onlyPredicted')}
        </>
      ) : (
        t('ofVisitor')
      )}
    </p>
  );
}

/** The colour of a contour level. Levels overlap, so the colours of all wider levels show through. */
function mapColor(index: number): string {
  const through = MAP_LEVELS.slice(index).reduce((left, { share }) => left * (1 - share), 1);
  return `color-mix(in srgb, var(--uc-malachite) ${Math.round(100 * (1 - through))}%, transparent)`;
}

function Key({ result, hasMap }: { readonly result: Answer; readonly hasMap: boolean }) {
  const { t } = useTexts(pourbaixTexts);
  const { regions, compound } = result;
  const formula = formulaText(compound?.formula ?? '');
  const isMapped = hasMapArea(result);
  return (
    <ul className={`uc-list uc-wrap uc-note ${classes.key}`}>
      {compound !== null && !isMapped && (
        <li>{t('mapNone', { formula, level: MAP_LEVELS[MAP_LEVELS.length - 1]?.level ?? 0 })}</li>
      )}
      {isMapped && hasMap
        ? MAP_LEVELS.map(({ level }, index) => (
            <li key={level}>
              <span className={classes.swatch} style={{ background: mapColor(index) }} />
              {level < 0.01 ? t('mapStable', { formula }) : t('mapKey', { formula, level })}
            </li>
          ))
        : REGION_KINDS.filter((kind) => regions.some((region) => region.kind === kind)).map((kind) => (
            <li key={kind}>
              <span className={classes.swatch} data-kind={kind} />
              {t(kind)}
            </li>
          ))}
      <li>{t('waterLines')}</li>
    </ul>
  );
}

interface TableProps {
  readonly result: Answer;
  readonly name: string;
}

function Regions({ result, name }: TableProps) {
  const { t } = useTexts(pourbaixTexts);
  const end = (
    id: 'phMin' | 'phMax' | 'voltsMin' | 'voltsMax',
    valueOf: (corner: PourbaixRegionAnswer['corners'][number]) => number,
    endOf: (...values: readonly number[]) => number,
  ) =>
    numberColumn(id, t(id), ({ corners }: PourbaixRegionAnswer) => endOf(...corners.map(valueOf)), {
      decimals: id.startsWith('ph') ? 2 : 3,
    });
  const columns: readonly DataColumn<PourbaixRegionAnswer>[] = [
    {
      id: 'species',
      header: t('stable'),
      value: (region) => plainText(result, region),
      render: (region) => regionText(result, region),
      isWrapped: true,
    },
    { id: 'kind', header: t('kind'), value: ({ kind }) => t(kind) },
    end('phMin', ({ ph }) => ph, Math.min),
    end('phMax', ({ ph }) => ph, Math.max),
    end('voltsMin', ({ potential }) => potential, Math.min),
    end('voltsMax', ({ potential }) => potential, Math.max),
  ];
  return (
    <DataTable
      label={t('regions')}
      rows={result.regions}
      columns={columns}
      rowKey={(region) => plainText(result, region)}
      csvName={`${name}-regions`}
      caption={<strong>{t('regions')}</strong>}
    />
  );
}

function Species({ result, name, scale }: TableProps & Pick<PourbaixInput, 'scale'>) {
  const { t } = useTexts(pourbaixTexts);
  const { formula: marked, point } = usePointedPhase();
  const sourceOf = ({ kind, source }: PourbaixSpeciesAnswer): string =>
    kind === 'own'
      ? t('ownSource')
      : kind === 'definition'
        ? t('definition')
        : kind === 'computed'
          ? t('computedSource')
          : source;
  const columns: readonly DataColumn<PourbaixSpeciesAnswer>[] = [
    {
      id: 'species',
      header: t('species'),
      value: ({ formula }) => formula,
      render: ({ formula }) => <span translate="no">{speciesText(formula)}</span>,
    },
    {
      id: 'state',
      header: t('state'),
      value: ({ phase, formula }) => t(GASES.test(formula) ? 'gas' : phase),
    },
    numberColumn('gibbs', t('gibbs'), ({ gibbs }) => gibbs),
    numberColumn('shift', t('shift'), ({ shift }) => shift),
    {
      id: 'reference',
      header: t('reference'),
      value: ({ reference }) => reference && formulaText(reference),
    },
    { id: 'source', header: t('source'), value: sourceOf, isWrapped: true },
  ];
  return (
    <DataTable
      label={t('species')}
      rows={result.species}
      columns={columns}
      rowKey={({ formula, phase }) => `${formula} ${phase}`}
      isHighlighted={({ formula }) => formula === marked}
      onRowHover={(row) => point(row?.phase === 'solid' ? row.formula : null)}
      {...(result.energies === 'computed'
        ? {
            rowHref: (row: PourbaixSpeciesAnswer) =>
              row.struct_id === null ? null : withScale(`/matdatades/${row.struct_id}`, scale),
          }
        : {})}
      pageSize={12}
      csvName={`${name}-species`}
      caption={
        <p className={`uc-note ${page.toolNote}`}>
          <strong>{t('species')}</strong> {t('speciesNote')}
        </p>
      }
    />
  );
}
