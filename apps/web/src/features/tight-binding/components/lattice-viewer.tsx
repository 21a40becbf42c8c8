/** The lattice in its plane: cell, sites, bonds, and a state on it. Panned and zoomed by mouse, wheel, touch or keyboard. */
import { useElementSize } from '@mantine/hooks';
import { type Net, type SecondNeighbourRule, secondNeighbours, type Vec2 } from '@unitcell/tight-binding';
import { IconMinus, IconPlus, IconZoomReset } from '@tabler/icons-react';
import { type KeyboardEvent, memo, type Ref, useMemo, useRef, useState } from 'react';
import { ToolbarButtons } from '../../../components/toolbar-buttons.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { tightBindingTexts } from '../texts.ts';
import {
  bondsPath,
  cellPath,
  cellsIn,
  grown,
  type Rect,
  sitePlace,
  startView,
  zoomed,
} from '../view/plane.ts';
import { usePanZoom } from '../view/use-pan-zoom.ts';
import { isOpenSite, type LatticeFigure, phaseColour, siteColour } from '../view/lattice-figure.ts';
import classes from '../tight-binding.module.css';

/** Radii in mean edge lengths: an empty site, and the largest amplitude of a state. */
const SITE_RADIUS = 0.12;
const STATE_RADIUS = 0.36;
/** Sites with less than this share of the largest probability are drawn as empty. */
const VISIBLE_PROBABILITY = 1e-4;

interface LatticeSitesProps {
  readonly net: Net;
  readonly cells: readonly Vec2[];
  readonly picture: LatticeFigure | null;
}

const LatticeSites = memo(({ net, cells, picture }: LatticeSitesProps) => (
  <g>
    {cells.flatMap(([u, v]) =>
      net.positions.map((_, site) => {
        const [x, y] = sitePlace(net, site, [u, v]);
        const key = `${site},${u},${v}`;
        const orbit = net.orbitOf[site] ?? 0;
        if (!picture)
          return isOpenSite(orbit) ? (
            <circle
              key={key}
              cx={x}
              cy={-y}
              r={SITE_RADIUS}
              className={classes.open}
              stroke={siteColour(orbit)}
            />
          ) : (
            <circle key={key} cx={x} cy={-y} r={SITE_RADIUS} fill={siteColour(orbit)} />
          );
        const own = picture.amplitudeAt(site, u, v);
        const share = own ? own.probability / picture.largest : 0;
        return own && share > VISIBLE_PROBABILITY ? (
          <circle
            key={key}
            cx={x}
            cy={-y}
            r={Math.max(0.04, STATE_RADIUS * Math.sqrt(share))}
            fill={phaseColour(own.phaseRad)}
          />
        ) : (
          <circle key={key} cx={x} cy={-y} r={0.05} className={classes.empty} />
        );
      }),
    )}
  </g>
));
LatticeSites.displayName = 'LatticeSites';

interface LatticeViewerProps {
  readonly net: Net;
  readonly rule: SecondNeighbourRule;
  readonly hasT2: boolean;
  readonly picture: LatticeFigure | null;
  readonly onClearPicture: () => void;
  readonly svgRef: Ref<SVGSVGElement>;
}

/** Margin around the view in mean edge lengths, because bonds are about one edge long. */
const BOND_REACH = 1.5;
/** Maximum number of sites drawn: limits zooming out. */
const MAX_SITES = 2500;

export function LatticeViewer({ net, rule, hasT2, picture, onClearPicture, svgRef }: LatticeViewerProps) {
  const { t } = useTexts(tightBindingTexts);
  const { ref: frame, width, height } = useElementSize();
  const aspect = width > 0 && height > 0 ? width / height : 1;
  const [moved, setMoved] = useState<{ readonly net: Net; readonly view: Rect } | null>(null);
  const [shown, setShown] = useState({ bonds1: true, bonds2: true, cell: true });
  const start = useMemo(() => startView(net, aspect), [net, aspect]);
  const view = moved?.net === net ? moved.view : start;

  const limit = useMemo(() => {
    const [[ax, ay], [bx, by]] = net.latticeVectors;
    return Math.sqrt((MAX_SITES / net.positions.length) * Math.abs(ax * by - ay * bx) * aspect);
  }, [net, aspect]);
  const setView = (next: Rect): void => {
    if (next.width <= Math.max(limit, start.width) && next.width > start.width / 40)
      setMoved({ net, view: next });
  };
  const zoom = (factor: number, x = 0.5, y = 0.5): void => setView(zoomed(view, factor, x, y));
  const pan = (x: number, y: number): void =>
    setView({ ...view, x: view.x - x * view.width, y: view.y + y * view.height });
  const reset = (): void => setMoved(null);
  const surface = useRef<HTMLDivElement>(null);
  usePanZoom(surface, { onZoom: zoom, onPan: pan, onReset: reset });

  // The cells change only when a cell enters or leaves the view; otherwise only the view box of the SVG changes.
  const cellKey = cellsIn(net.latticeVectors, grown(view, BOND_REACH)).join(';');
  const cells = useMemo(
    () => cellKey.split(';').map((text) => text.split(',').map(Number) as [number, number]),
    [cellKey],
  );
  const first = useMemo(() => bondsPath(net, net.edges, cells), [net, cells]);
  const second = useMemo(
    () => (hasT2 && shown.bonds2 ? bondsPath(net, secondNeighbours(net, rule), cells) : ''),
    [net, rule, cells, hasT2, shown.bonds2],
  );
  const onKey = (event: KeyboardEvent): void => {
    const action = {
      ArrowLeft: () => pan(0.1, 0),
      ArrowRight: () => pan(-0.1, 0),
      ArrowUp: () => pan(0, 0.1),
      ArrowDown: () => pan(0, -0.1),
      '+': () => zoom(1.25),
      '=': () => zoom(1.25),
      '-': () => zoom(0.8),
      '0': reset,
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  const toggle = (id: keyof typeof shown) => ({
    id,
    label: t(id),
    isOn: shown[id],
    onClick: () => setShown((now) => ({ ...now, [id]: !now[id] })),
  });
  return (
    <div className={`uc-panel ${classes.viewer}`}>
      <div ref={frame} className={classes.latticeViewerFrame}>
        {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */}
        <div
          ref={surface}
          className={classes.latticeViewerSurface}
          role="application"
          aria-label={`${t('viewer', { id: net.id })}. ${t('viewerKeys')}`}
          tabIndex={0}
          onKeyDown={onKey}
        >
          {/* oxlint-enable */}
          <svg
            ref={svgRef}
            width="100%"
            height="100%"
            viewBox={`${view.x} ${-view.y - view.height} ${view.width} ${view.height}`}
            preserveAspectRatio="xMidYMid slice"
            aria-hidden="true"
          >
            {shown.cell && <path className={classes.cell} d={cellPath(net.latticeVectors)} />}
            {second !== '' && <path className={classes.second} d={second} />}
            {shown.bonds1 && <path className={classes.first} d={first} />}
            <LatticeSites net={net} cells={cells} picture={picture} />
          </svg>
        </div>
        {picture && (
          <div className={`uc-row ${classes.legend}`}>
            <span>{picture.caption}</span>
            <span className={classes.wheel} aria-hidden="true" /> {t('phase')} · {t('amplitude')}
            <button type="button" onClick={onClearPicture}>
              {t('showLattice')}
            </button>
          </div>
        )}
      </div>
      <div className={`uc-wrap ${classes.latticeViewerTools}`}>
        <ToolbarButtons
          label={t('viewer', { id: net.id })}
          buttons={[toggle('bonds1'), ...(hasT2 ? [toggle('bonds2')] : []), toggle('cell')]}
        />
        <ToolbarButtons
          label={t('zoomIn')}
          buttons={[
            {
              id: 'in',
              label: '',
              icon: <IconPlus size={16} aria-label={t('zoomIn')} />,
              onClick: () => zoom(1.4),
            },
            {
              id: 'out',
              label: '',
              icon: <IconMinus size={16} aria-label={t('zoomOut')} />,
              onClick: () => zoom(1 / 1.4),
            },
            {
              id: 'reset',
              label: '',
              icon: <IconZoomReset size={16} aria-label={t('reset')} />,
              onClick: reset,
            },
          ]}
        />
      </div>
    </div>
  );
}
