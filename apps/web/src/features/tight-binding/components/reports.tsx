/** What the bands say in words and tables: flat bands and their proof, Dirac points, Chern numbers, energies. */
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatNumber } from '../../../lib/format.ts';
import type { BandsAnswer, FlatBand, ReportAnswer } from '../solver/messages.ts';
import { tightBindingTexts } from '../texts.ts';
import { chernRows } from '../view/chern-rows.ts';
import classes from './reports.module.css';

/** A number of the model: what is behind it opens with a click. */
const Made = ({ name, children }: { readonly name: string; readonly children: string }) => (
  <SourcedValue name={name} method="tightBinding" isMadeHere isTabStop={false}>
    {children}
  </SourcedValue>
);

interface FlatBandReportProps {
  readonly report: ReportAnswer;
  /** Energy of the state on display. */
  readonly shown: number | null;
  readonly onShow: (flat: FlatBand | null) => void;
}

export function FlatBandReport({ report, shown, onShow }: FlatBandReportProps) {
  const { t } = useTexts(tightBindingTexts);
  const { flatBands, diracPoints } = report;
  return (
    <div>
      {flatBands.length === 0 ? (
        <p className={classes.none}>{t('noFlat')}</p>
      ) : (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('flatEnergy')}</th>
              <th scope="col">{t('multiplicity')}</th>
              <th scope="col">{t('proof')}</th>
              <th scope="col">{t('compactState')}</th>
            </tr>
          </thead>
          <tbody>
            {flatBands.map((flat) => (
              <tr key={flat.energy}>
                <td>
                  <Made name={t('flatEnergy')}>{formatNumber(flat.energy)}</Made>
                </td>
                <td>{flat.multiplicity}</td>
                <td>
                  {flat.state ? t('sitesCount', { count: flat.state.amplitudes.length }) : t('notFound')}
                </td>
                <td>
                  {flat.state && (
                    <button
                      type="button"
                      className={classes.link}
                      aria-pressed={shown === flat.energy}
                      onClick={() => onShow(shown === flat.energy ? null : flat)}
                    >
                      {shown === flat.energy ? t('hide') : t('show')}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h3 className={classes.heading}>{t('diracPoints')}</h3>
      {diracPoints.length === 0 ? (
        <p className={classes.none}>{t('noDirac')}</p>
      ) : (
        <ul className={classes.points}>
          {diracPoints.map(({ label, band, energy }) => (
            <li key={`${label}${band}`}>
              {t('diracAt', { label, lower: band + 1, upper: band + 2, energy: formatNumber(energy) })}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

export function ChernReport({
  report,
  hasFlux,
}: {
  readonly report: ReportAnswer;
  readonly hasFlux: boolean;
}) {
  const { t } = useTexts(tightBindingTexts);
  return (
    <div>
      <div className={classes.scroll}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('band')}</th>
              <th scope="col">
                <i>{t('chern')}</i>
              </th>
              <th scope="col">{t('directGap')}</th>
            </tr>
          </thead>
          <tbody>
            {chernRows(report.chern).map(({ first, last, chern, gap }) => (
              <tr key={first}>
                <td>{first === last ? first + 1 : `${first + 1}–${last + 1}`}</td>
                <td>
                  {chern === undefined ? (
                    t('touches')
                  ) : (
                    <Made name={t('chern')}>{formatNumber(chern, { decimals: 0 })}</Made>
                  )}
                </td>
                <td>{Number.isFinite(gap) ? <Made name={t('directGap')}>{formatNumber(gap)}</Made> : '—'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!hasFlux && <p className={classes.none}>{t('chernZero')}</p>}
    </div>
  );
}

/** The chart in numbers, for those who cannot see it. */
export function CornerTable({ answer }: { readonly answer: BandsAnswer }) {
  const { t } = useTexts(tightBindingTexts);
  const { hspNodes, hspLabels, kDist, bands } = answer;
  const points = hspNodes.map((node) => kDist.findIndex((k) => Math.abs(k - node) < 1e-9));
  return (
    <details className={classes.details}>
      <summary>{t('numbers')}</summary>
      <div className={classes.scroll}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('band')}</th>
              {hspLabels.map((label, corner) => (
                // oxlint-disable-next-line react/no-array-index-key
                <th scope="col" key={corner}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bands.map((energies, band) => (
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={band}>
                <th scope="row">{band + 1}</th>
                {points.map((point, corner) => (
                  // oxlint-disable-next-line react/no-array-index-key
                  <td key={corner}>{formatNumber(energies[point])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
