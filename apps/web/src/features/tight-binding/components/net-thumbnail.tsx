/** A net the size of a stamp. */
import type { Net } from '@unitcell/tight-binding';
import { memo } from 'react';
import { bondsPath, cellsIn, grown, startView } from '../view/plane.ts';
import classes from './net-thumbnail.module.css';

/** About this many sites make a pattern that can be told from another at this size. */
const SITES_SHOWN = 26;

export const NetThumbnail = memo(({ net, size = 72 }: { readonly net: Net; readonly size?: number }) => {
  const view = startView(net, 1, Math.max(1.4, SITES_SHOWN / net.positions.length));
  return (
    <svg
      className={classes.thumbnail}
      width={size}
      height={size}
      viewBox={`${view.x} ${-view.y - view.height} ${view.width} ${view.height}`}
      aria-hidden="true"
    >
      <path
        d={bondsPath(net, net.edges, cellsIn(net.latticeVectors, grown(view, 1.5)))}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
});
NetThumbnail.displayName = 'NetThumbnail';
