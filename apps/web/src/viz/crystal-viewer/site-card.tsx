/** Details of the selected atom, and the measured distance or angle. */
import type { Structure } from '@unitcell/crystal';
import { elementBySymbol } from '@unitcell/elements';
import { useTexts } from '../../i18n/texts.ts';
import { formatNumber } from '../../lib/format.ts';
import { groupBy } from '../../lib/rows.ts';
import classes from './crystal-viewer.module.css';
import { measureText } from './overlay.ts';
import type { Scene } from './scene.ts';
import { viewerTexts } from './texts.ts';

/** Maximum number of rows of the table; the exported file has all. */
const MAX_ROWS = 100;

interface SiteTableProps {
  readonly structure: Structure;
  readonly scene: Scene;
  readonly wyckoffs: readonly string[] | undefined;
}

/** A table of the sites of the displayed cell, as an alternative to the drawing. */
export function SiteTable({ structure, scene, wyckoffs }: SiteTableProps) {
  const { t } = useTexts(viewerTexts);
  const more = structure.sites.length - MAX_ROWS;
  return (
    <div className="uc-visually-hidden">
      <table>
        <caption>
          {t('siteTable')}
          {more > 0 && ` (${t('moreSites', { count: more, n: more })})`}
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
          {structure.sites.slice(0, MAX_ROWS).map(({ species, fractionalCoords }, site) => (
            // Sites are identified by their index.
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

interface SiteCardProps {
  readonly scene: Scene;
  readonly chosen: readonly number[];
  readonly isMeasuring: boolean;
  readonly wyckoffs: readonly string[] | undefined;
  readonly onClose: () => void;
}

/** Groups neighbours at the same distance: `4 × O 1.948 Å`. */
export function neighbourShells(
  scene: Scene,
  site: number,
): readonly { readonly element: string; readonly count: number; readonly distance: string }[] {
  const elementOf = new Map(scene.atoms.map((atom) => [atom.site, atom.element]));
  const shells = groupBy(
    scene.neighbours[site] ?? [],
    ({ site: other, distance }) => `${elementOf.get(other) ?? ''} ${distance.toFixed(3)}`,
  );
  return [...shells].map(([key, all]) => {
    const [element = '', distance = ''] = key.split(' ');
    return { element, count: all.length, distance };
  });
}

export function SiteCard({ scene, chosen, isMeasuring, wyckoffs, onClose }: SiteCardProps) {
  const { t, language } = useTexts(viewerTexts);
  const atoms = chosen.flatMap((index) => scene.atoms[index] ?? []);
  const last = atoms.at(-1);
  if (isMeasuring)
    return (
      <output className={classes.card}>
        {atoms.length < 2 ? (
          t('measureHint')
        ) : (
          <>
            {atoms.map(({ label }) => label).join(' – ')}{' '}
            <b>{measureText(atoms.map(({ position }) => position))}</b>
          </>
        )}
      </output>
    );
  if (!last) return null;
  const { nameEn, nameZh } = elementBySymbol(last.element);
  const shells = neighbourShells(scene, last.site);
  const count = scene.neighbours[last.site]?.length ?? 0;
  const letter = wyckoffs?.[last.site];
  const moment = scene.moments[last.site];
  return (
    <output className={classes.card}>
      <button type="button" className={classes.close} aria-label={t('close')} onClick={onClose}>
        ×
      </button>
      <b>{last.label}</b> {last.species.length === 1 && (language === 'zh' ? nameZh : nameEn)} ·{' '}
      {t('site', { n: last.site + 1 })}
      {letter && (
        <>
          {' · Wyckoff '}
          <i>{letter}</i>
        </>
      )}
      {last.species.length > 1 || last.species[0]?.occupancy !== 1 ? (
        <div>{last.species.map(({ element, occupancy }) => `${element} ${occupancy}`).join(', ')}</div>
      ) : null}
      <div className={classes.numbers}>
        <i>{t('coordinates')}</i>{' '}
        {scene
          .fractional(last)
          .map((x) => formatNumber(x, { decimals: 4 }))
          .join(', ')}
      </div>
      {moment !== undefined && <div>{t('momentOf', { value: formatNumber(moment, { decimals: 2 }) })}</div>}
      <div>{t('neighbours', { count })}</div>
      <ul className={`uc-list ${classes.shells}`}>
        {shells.map(({ element, count: n, distance }) => (
          <li key={`${element}${distance}`}>
            {n} × {element} {distance} Å
          </li>
        ))}
      </ul>
    </output>
  );
}
