/** Bands as text and tables: flat bands and their proof, Dirac points, Chern numbers, energies. */
import { type BandChernNumber, ISOLATION_GAP } from '@unitcell/tight-binding';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatNumber, MISSING } from '../../../lib/format.ts';
import type { BandsAnswer, FlatBand, ReportAnswer } from '../solver/messages.ts';
import { tightBindingTexts } from '../texts.ts';
import classes from '../tight-binding.module.css';

interface ChernRow {
  /** First and last band of the group, zero-based; equal for an isolated band. */
  readonly first: number;
  readonly last: number;
  /** Chern number; undefined for touching bands. */
  readonly chern: number | undefined;
  /** Smallest energy gap at the same k to bands outside the group; infinite if there are no other bands. */
  readonly gap: number;
}

/** Rows of the table, from the lowest band up. */
export function chernRows(bands: readonly BandChernNumber[]): ChernRow[] {
  const rows: ChernRow[] = [];
  let first = 0;
  let below = Number.POSITIVE_INFINITY;
  bands.forEach(({ chern, gapAbove }, last) => {
    if (gapAbove < ISOLATION_GAP) return;
    rows.push({ first, last, chern, gap: Math.min(below, gapAbove) });
    first = last + 1;
    below = gapAbove;
  });
  return rows;
}

/** A number of the model; a click shows its provenance. */
interface MadeProps {
  readonly name: string;
  /** True for the first number of a table, which is the tab stop. */
  readonly isFirst: boolean;
  readonly children: string;
}

const Made = ({ name, isFirst, children }: MadeProps) => (
  <SourcedValue name={name} method="tightBinding" isMadeHere isTabStop={isFirst}>
    {children}
  </SourcedValue>
);

interface FlatBandReportProps {
  readonly report: ReportAnswer;
  /** Energy of the displayed state. */
  readonly shown: number | null;
  readonly onShow: (flat: FlatBand | null) => void;
}

export function FlatBandReport({ report, shown, onShow }: FlatBandReportProps) {
  const { t } = useTexts(tightBindingTexts);
  const { flatBands, diracPoints } = report;
  return (
    <div>
      {flatBands.length === 0 ? (
        <p className={`uc-note ${classes.none}`}>{t('noFlat')}</p>
      ) : (
        <table className={`uc-table uc-numbers ${classes.table}`}>
          <thead>
            <tr>
              <th scope="col">{t('flatEnergy')}</th>
              <th scope="col">{t('multiplicity')}</th>
              <th scope="col">{t('proof')}</th>
              <th scope="col">{t('compactState')}</th>
            </tr>
          </thead>
          <tbody>
            {flatBands.map((flat, place) => (
              <tr key={flat.energy}>
                <td>
                  <Made name={t('flatEnergy')} isFirst={place === 0}>
                    {formatNumber(flat.energy)}
                  </Made>
                </td>
                <td>
                  <Made name={t('multiplicity')} isFirst={false}>
                    {String(flat.multiplicity)}
                  </Made>
                </td>
                <td>
                  {flat.state ? t('sitesCount', { count: flat.state.amplitudes.length }) : t('notFound')}
                </td>
                <td>
                  {flat.state && (
                    <button
                      type="button"
                      className={`uc-link-button ${classes.link}`}
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
        <p className={`uc-note ${classes.none}`}>{t('noDirac')}</p>
      ) : (
        <ul className="uc-list uc-note">
          {diracPoints.map(({ label, band, energy }, place) => (
            <li key={`${label}${band}`}>
              <Made name={t('diracPoints')} isFirst={place === 0}>
                {t('diracAt', { label, lower: band + 1, upper: band + 2, energy: formatNumber(energy) })}
              </Made>
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
        <table className={`uc-table uc-numbers ${classes.table}`}>
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
            {chernRows(report.chern).map(({ first, last, chern, gap }, place) => (
              <tr key={first}>
                <td>{first === last ? first + 1 : `${first + 1}–${last + 1}`}</td>
                <td>
                  {chern === undefined ? (
                    t('touches')
                  ) : (
                    <Made name={t('chern')} isFirst={place === 0}>
                      {formatNumber(chern, { decimals: 0 })}
                    </Made>
                  )}
                </td>
                <td>
                  {Number.isFinite(gap) ? (
                    <Made name={t('directGap')} isFirst={false}>
                      {formatNumber(gap)}
                    </Made>
                  ) : (
                    MISSING
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!hasFlux && <p className={`uc-note ${classes.none}`}>{t('chernZero')}</p>}
    </div>
  );
}

/** The chart as a table, for screen readers. */
export function CornerTable({ answer }: { readonly answer: BandsAnswer }) {
  const { t } = useTexts(tightBindingTexts);
  const { hspNodes, hspLabels, kDist, bands } = answer;
  const points = hspNodes.map((node) => kDist.findIndex((k) => Math.abs(k - node) < 1e-9));
  return (
    <details className={`uc-fold ${classes.details}`}>
      <summary>{t('numbers')}</summary>
      <div className={classes.scroll}>
        <table className={`uc-table uc-numbers ${classes.table}`}>
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
                  <td key={corner}>
                    <Made name={t('band')} isFirst={band === 0 && corner === 0}>
                      {formatNumber(energies[point])}
                    </Made>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
