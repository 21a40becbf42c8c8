/** The tight-binding playground (spec §2.15, §4.11). */
import { kPathCorners, type Net, reciprocalVectors, type Vec2 } from '@unitcell/tight-binding';
import { useCallback, useMemo, useRef, useState } from 'react';
import { CopyAsCode } from '../../../components/copy-as-code/copy-as-code.tsx';
import { Notice } from '../../../components/notice.tsx';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { Section } from '../../../components/section.tsx';
import { HowItWorks } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatNumber } from '../../../lib/format.ts';
import { bandDataRequest, requestOf, useLatticeStructure, useServerCheck } from '../api/use-band-data.ts';
import { defaultControls, FILLING_STEP, writeAddress } from '../link-state.ts';
import type { BandPoint, BandsAnswer, FlatBand, ModelSettings } from '../solver/messages.ts';
import { useSolver } from '../solver/use-solver.ts';
import { tightBindingTexts } from '../texts.ts';
import { type Playground, usePlayground } from '../use-playground.ts';
import { legOf } from '../view/chart-scale.ts';
import { blochFigure, localisedFigure } from '../view/lattice-figure.ts';
import { BandChart, BandChartToCome } from './band-chart.tsx';
import { Controller, LabelledSlider } from './controller.tsx';
import { ExportMenu } from './export-menu.tsx';
import { LatticePicker } from './lattice-picker.tsx';
import { LatticeViewer } from './lattice-viewer.tsx';
import { ChernReport, CornerTable, FlatBandReport } from './reports.tsx';
import { brillouinZone, placeOf } from '../view/plane.ts';
import classes from '../tight-binding.module.css';

const SIZE = 220;
/** Share of the image that the zone fills; the rest is for labels. */
const FILL = 0.74;

/** The Brillouin zone, the path through it and the selected k. */
function ZoneFigure({ net, k }: { readonly net: Net; readonly k: Vec2 | null }) {
  const { t } = useTexts(tightBindingTexts);
  const zone = brillouinZone(net.latticeVectors);
  const reciprocal = reciprocalVectors(net.latticeVectors);
  const corners = kPathCorners(net.planeGroup, net.latticeVectors).map(({ label, k: [u, v] }) => ({
    label,
    place: placeOf(reciprocal, u, v),
  }));
  const radius = Math.max(...zone.map(([x, y]) => Math.hypot(x, y)));
  const scale = (SIZE * FILL) / (2 * radius);
  const at = ([x, y]: Vec2): [number, number] => [SIZE / 2 + x * scale, SIZE / 2 - y * scale];
  const path = (places: readonly Vec2[]): string =>
    `M${places.map((place) => at(place).join(' ')).join('L')}`;
  const labels = new Map(corners.map((corner) => [corner.label, corner]));
  return (
    <svg
      className={classes.zone}
      width={SIZE}
      height={SIZE}
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      role="img"
      aria-label={t('zoneSummary', { id: net.id, path: corners.map(({ label }) => label).join('–') })}
    >
      <path className={classes.zoneEdge} d={`${path(zone)}Z`} />
      <path className={classes.zonePath} d={path(corners.map(({ place }) => place))} />
      {[...labels.values()].map(({ label, place }) => {
        const [x, y] = at(place);
        const length = Math.hypot(place[0], place[1]) * scale;
        // Labels are outside; that of Γ is at its lower left.
        const [dx, dy] =
          length < 1 ? [-10, 12] : [((x - SIZE / 2) / length) * 13, ((y - SIZE / 2) / length) * 13];
        return (
          <g key={label}>
            <circle className={classes.zoneDot} cx={x} cy={y} r={2.6} />
            <text x={x + dx} y={y + dy} textAnchor="middle" dominantBaseline="central">
              {label}
            </text>
          </g>
        );
      })}
      {k && (
        <circle
          className={classes.zoneK}
          cx={at(placeOf(reciprocal, ...k))[0]}
          cy={at(placeOf(reciprocal, ...k))[1]}
          r={5}
        />
      )}
    </svg>
  );
}

/** Lists the parts of the link that were invalid. */
function LinkNotes({ playground }: { readonly playground: Playground }) {
  const { t } = useTexts(tightBindingTexts);
  const { isLoadingNet, unknownId, net, faults } = playground;
  const notes = [
    ...(isLoadingNet ? [t('loadingNet')] : []),
    ...(unknownId === null ? [] : [t('faultGrid', { id: unknownId.slice(0, 40), used: net.id })]),
    ...(faults.length > 0 ? [t('faultFields', { fields: faults.join(', ') })] : []),
  ];
  return notes.length > 0 ? (
    <div aria-live="polite">
      {notes.map((note) => (
        <p key={note} className={`uc-remark ${classes.note}`}>
          {note}
        </p>
      ))}
    </div>
  ) : null;
}

export function Page() {
  const { t } = useTexts(tightBindingTexts);
  const playground = usePlayground();
  const { net, controls, change, pick } = playground;
  const { t1, t2, onsite, rule, fluxDeg, filling, selected } = controls;
  const model: ModelSettings = useMemo(
    () => ({ net, t1, t2, onsite, rule, fluxRad: (fluxDeg * Math.PI) / 180 }),
    [net, t1, t2, onsite, rule, fluxDeg],
  );
  const { bands, report, failure } = useSolver(model, filling, selected);
  const answer = bands?.model.net === net || bands?.model.net.id === net.id ? bands : null;
  const structure = useLatticeStructure(net.id);
  const server = useServerCheck(model, answer);
  const [flat, setFlat] = useState<{ readonly netId: string; readonly flat: FlatBand } | null>(null);
  const shownFlat = flat?.netId === net.id ? flat.flat : null;
  const picture = usePicture(answer, selected, shownFlat);
  const [chart, lattice] = [useRef<SVGSVGElement>(null), useRef<SVGSVGElement>(null)];

  const select = useCallback(
    (point: BandPoint | null) => {
      setFlat(null);
      change({ selected: point });
    },
    [change],
  );
  const ownReport = report?.model.net.id === net.id ? report : null;
  return (
    <div className="uc-page">
      <header className={`uc-wrap ${classes.header}`}>
        <div>
          <h1>{t('title')}</h1>
          <p className={classes.lead}>
            {t('lead')}
            <br />
            <HowItWorks guide="tight-binding" />
          </p>
        </div>
        <LatticePicker net={net} onPick={pick} />
      </header>
      <LinkNotes playground={playground} />
      <div className={classes.workspace}>
        <div className={classes.left}>
          <LatticeViewer
            net={net}
            rule={rule}
            hasT2={t2 !== 0}
            picture={picture}
            onClearPicture={() => select(null)}
            svgRef={lattice}
          />
          <Controller
            net={net}
            controls={controls}
            onChange={change}
            onGenerate={server.generate}
            onDefaults={() => change(defaultControls(net))}
            isGenerating={server.isGenerating}
            remark={server.remark}
          />
        </div>
        <section className={`uc-stack ${classes.right}`} aria-label={t('bands')}>
          <div className={`uc-row ${classes.chartHead}`}>
            <h2 className={classes.chartTitle}>{t('bands')}</h2>
            {answer && (
              <div className={`uc-row ${classes.chartTools}`}>
                <CopyAsCode sent={bandDataRequest(requestOf(model, false))} />
                <ExportMenu
                  model={model}
                  answer={answer}
                  cif={structure.data?.script}
                  chart={chart}
                  lattice={lattice}
                  link={() =>
                    `${location.origin}${location.pathname}?${writeAddress(net, controls).toString()}`
                  }
                />
              </div>
            )}
          </div>
          {answer ? (
            <BandChart
              answer={answer}
              selected={selected}
              onSelect={select}
              summary={summaryOf(t, net, answer)}
              svgRef={chart}
            />
          ) : (
            <BandChartToCome
              role={failure === null ? 'status' : 'alert'}
              text={failure === null ? t('calculating') : t('failed', { message: failure })}
            />
          )}
          {answer && failure !== null && <Notice kind="problem">{t('failed', { message: failure })}</Notice>}
          <div className={`uc-panel ${classes.filling}`}>
            <LabelledSlider
              name={t('filling')}
              range={{ min: 0, max: net.positions.length, step: FILLING_STEP }}
              value={filling}
              text={t('fillingOf', { filling: Number(filling.toFixed(2)), bands: net.positions.length })}
              onChange={(next) => change({ filling: next })}
            />
            <p className={`uc-note ${classes.fermi}`}>
              {answer && (
                <>
                  {t('fermi')}{' '}
                  <SourcedValue name={t('fermi')} method="tightBinding" isMadeHere>
                    <strong>{formatNumber(answer.fermi.energy)}</strong>
                  </SourcedValue>{' '}
                  · {answer.fermi.gap > 0 ? t('gap', { gap: formatNumber(answer.fermi.gap) }) : t('metal')}
                </>
              )}
            </p>
          </div>
          <p className={`uc-fine ${classes.hint}`}>{t('chartKeys')}</p>
        </section>
      </div>
      <div className={classes.reports}>
        <Section id="zone" title={t('zone')}>
          <ZoneFigure net={net} k={answer?.state?.k ?? null} />
        </Section>
        <Section id="flat-bands" title={t('flatBands')}>
          {ownReport ? (
            <FlatBandReport
              report={ownReport}
              shown={shownFlat?.energy ?? null}
              onShow={(next) => {
                change({ selected: null });
                setFlat(next && { netId: net.id, flat: next });
              }}
            />
          ) : (
            <p>{t('calculating')}</p>
          )}
        </Section>
        <Section id="topology" title={t('topology')}>
          {ownReport ? (
            <ChernReport report={ownReport} hasFlux={fluxDeg !== 0 && t2 !== 0} />
          ) : (
            <p>{t('calculating')}</p>
          )}
        </Section>
      </div>
      {answer && <CornerTable answer={answer} />}
    </div>
  );
}

type Translate = ReturnType<typeof useTexts<(typeof tightBindingTexts)['en']>>['t'];

function summaryOf(t: Translate, net: Net, { bands, hspLabels, fermi, filling }: BandsAnswer): string {
  const all = bands.flat();
  const extreme = (pick: (a: number, b: number) => number): string =>
    formatNumber(all.reduce((a, b) => pick(a, b)));
  return t('summary', {
    count: bands.length,
    bands: bands.length,
    id: net.id,
    path: hspLabels.join('–'),
    low: extreme(Math.min),
    high: extreme(Math.max),
    fermi: formatNumber(fermi.energy),
    filling: Number(filling.toFixed(2)),
  });
}

/** The state drawn on the lattice: that of the selected point of the bands, or a localised state of a flat band. */
function usePicture(answer: BandsAnswer | null, selected: BandPoint | null, flat: FlatBand | null) {
  const { t } = useTexts(tightBindingTexts);
  return useMemo(() => {
    if (flat?.state)
      return localisedFigure(flat.state, t('localised', { energy: formatNumber(flat.energy) }));
    const state = answer?.state;
    if (!selected || !answer || !state) return null;
    const { hspNodes, hspLabels, kDist } = answer;
    return blochFigure(
      state,
      t('stateAt', {
        band: state.at.band + 1,
        place: legOf(hspNodes, hspLabels, kDist[state.at.point] ?? 0),
        energy: formatNumber(state.energy),
      }),
    );
  }, [answer, selected, flat, t]);
}
