/** The Brillouin zone, the path through it and the k that is chosen. */
import { kPathCorners, type Net, reciprocalVectors, type Vec2 } from '@unitcell/tight-binding';
import { useTexts } from '../../../i18n/texts.ts';
import { tightBindingTexts } from '../texts.ts';
import { brillouinZone } from '../view/brillouin-zone.ts';
import { placeOf } from '../view/plane.ts';
import classes from './reports.module.css';

const SIZE = 220;
/** Share of the picture that the zone takes, the rest is for labels. */
const FILL = 0.74;

export function ZoneFigure({ net, k }: { readonly net: Net; readonly k: Vec2 | null }) {
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
        // Labels stand outside, Γ at its lower left.
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
