/** The sites of the cell shown, for those who read instead of look. */
import type { Structure } from '@unitcell/crystal';
import { useTexts } from '../../i18n/texts.ts';
import { formatNumber } from '../../lib/format.ts';
import type { Scene } from './scene.ts';
import { neighbourShells } from './site-card.tsx';
import { viewerTexts } from './texts.ts';

/** A longer table is a file to download. */
const MOST_ROWS = 100;

interface SiteTableProps {
  readonly structure: Structure;
  readonly scene: Scene;
  readonly wyckoffs: readonly string[] | undefined;
}

export function SiteTable({ structure, scene, wyckoffs }: SiteTableProps) {
  const { t } = useTexts(viewerTexts);
  const more = structure.sites.length - MOST_ROWS;
  return (
    <div className="uc-visually-hidden">
      <table>
        <caption>
          {t('siteTable')}
          {more > 0 && ` (${t('moreSites', { n: more })})`}
        </caption>
        <thead>
          <tr>
            <th scope="col">{t('siteNumber')}</th>
            <th scope="col">{t('content')}</th>
            {wyckoffs && <th scope="col">{t('wyckoff')}</th>}
            <th scope="col">x</th>
            <th scope="col">y</th>
            <th scope="col">z</th>
            <th scope="col">{t('bonds')}</th>
          </tr>
        </thead>
        <tbody>
          {structure.sites.slice(0, MOST_ROWS).map(({ species, fractionalCoords }, site) => (
            // A site is known by its place in the list.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={site}>
              <th scope="row">{site + 1}</th>
              <td>
                {species
                  .map(({ element, occupancy }) => (occupancy === 1 ? element : `${element} ${occupancy}`))
                  .join(', ')}
              </td>
              {wyckoffs && <td>{wyckoffs[site]}</td>}
              {fractionalCoords.map((x, axis) => (
                // oxlint-disable-next-line react/no-array-index-key
                <td key={axis}>{formatNumber(x, { decimals: 4 })}</td>
              ))}
              <td>
                {neighbourShells(scene, site)
                  .map(({ element, count, distance }) => `${count} × ${element} ${distance} Å`)
                  .join('; ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
