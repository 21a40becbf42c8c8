import type { Net, Vec2 } from '@unitcell/tight-binding';
import { memo } from 'react';
import type { LatticePicture } from '../view/lattice-picture.ts';
import { isOpenSite, phaseColour, siteColour } from '../view/phase-colour.ts';
import { sitePlace } from '../view/plane.ts';
import classes from './lattice-viewer.module.css';

/** Radii in mean edges: a bare site, and the largest amplitude of a state. */
const SITE_RADIUS = 0.12;
const STATE_RADIUS = 0.36;
/** Shares of the largest probability below this are drawn as empty sites. */
const VISIBLE_PROBABILITY = 1e-4;

interface LatticeSitesProps {
  readonly net: Net;
  readonly cells: readonly Vec2[];
  readonly picture: LatticePicture | null;
}

export const LatticeSites = memo(({ net, cells, picture }: LatticeSitesProps) => (
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
