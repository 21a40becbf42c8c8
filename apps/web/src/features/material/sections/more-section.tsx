/** More Information: methods and sources of the numbers. */
import type { MaterialDetail } from '@unitcell/contract/matdata';
import { LISTED_NUMBERS, optionText } from '@unitcell/material';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useScaleName, withScale } from '../../../components/energy-scale/energy-scale.tsx';
import { fact, type Fact, FactTable } from '../../../components/fact-table.tsx';
import { Formula } from '../../../components/formula.tsx';
import { Section } from '../../../components/section.tsx';
import { licenceIn } from '../../../components/provenance/source-facts.tsx';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { statementIn } from '../../../components/provenance/statement.ts';
import type { Language } from '../../../i18n/i18n.ts';
import { type Translate, useTexts } from '../../../i18n/texts.ts';
import { shareText } from '../../../lib/exact-fractions.ts';
import { formatNumber } from '../../../lib/format.ts';
import classes from '../material.module.css';
import { detailTexts } from '../detail-texts.ts';
import { dayOf, isStable, magneticStarts, numberFact, occupiedPositions } from '../detail-view-model.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import { sourceOf } from '../sources-view-model.ts';

const title = { en: 'More Information', zh: '更多信息' };

/** Rows without a value are omitted. */
const known = (facts: readonly (Fact | null)[]): readonly Fact[] => facts.filter((one) => one !== null);
const stated = (name: string, value: ReactNode, unit?: string): Fact | null =>
  value === '' || value === null || value === '-' ? null : fact(name, value, unit);

type Product = MaterialDetail['energy_scales'][number]['decomposition'][number];

const productsOf = ({ energy_scales: scales, run_type: shown }: MaterialDetail): readonly Product[] =>
  scales.find(({ functional }) => functional === shown)?.decomposition ?? [];

/** The decomposition products, in atomic fractions; each links to its own page. */
const Products = ({ products, scale }: { readonly products: readonly Product[]; readonly scale: string }) =>
  products.map(({ struct_id: id, formula, fraction }, index) => (
    <span key={id}>
      {index > 0 && ' + '}
      {fraction < 1 && `${shareText(fraction)} `}
      <Link to={withScale(`/matdatades/${id}`, scale)} className={classes.product}>
        <Formula text={formula} />
      </Link>
    </span>
  ));

/** `PBE`; with Hubbard corrections `PBE+U`. */
export function functionalOf(material: Pick<MaterialDetail, 'sources' | 'run_type' | 'hubbards'>): string {
  const source = sourceOf(material, 'energy', material.run_type);
  const functional = source?.method.find(({ key }) => key === 'functional')?.value ?? '';
  const hasU = Object.keys(material.hubbards).length > 0 && !functional.includes('+U');
  return functional === '' ? '' : `${functional}${hasU ? '+U' : ''}`;
}

function SourceName({ material }: MaterialSectionProps) {
  const { name, id, url } = material.source;
  const text = id === '' ? name : `${name} ${id}`;
  if (url === null || !/^https?:\/\//.test(url)) return <>{text}</>;
  return (
    <a href={url} target="_blank" rel="noopener">
      {text}
    </a>
  );
}

/** Energies and moments of the magnetic starts of a calculation, with a warning if the order was lost. */
function MagneticStarts({ material }: MaterialSectionProps) {
  const { t } = useTexts(detailTexts);
  const starts = magneticStarts(material);
  const { method, source } = numberFact(material, 'totalMagnetization');
  return (
    <ul className="uc-list">
      {starts.map(
        ({
          order,
          wave,
          energy_per_atom: energy,
          local_moments: moments,
          is_order_kept: isKept,
          failure,
        }) => (
          <li key={`${order} ${wave.join()}`}>
            <SourcedValue name={t('magneticStarts')} method={method} source={source}>
              {[
                order === 'ferromagnetic' ? t(order) : `${t(order)} (${wave.map(shareText).join(' ')})`,
                energy !== undefined &&
                  t('magneticEnergy', { energy: formatNumber(energy, { decimals: 4 }) }),
                moments && t('magneticMoment', { moment: Math.max(...moments.map(Math.abs)).toFixed(2) }),
              ]
                .filter(Boolean)
                .join(', ')}
            </SourcedValue>
            {isKept === false && <div>{t('magneticLost')}</div>}
            {failure === 'scf-not-converged' && <div>{t('magneticUnconverged')}</div>}
            {failure && failure !== 'scf-not-converged' && <div>{t('magneticFailed', { failure })}</div>}
          </li>
        ),
      )}
      {starts.length === 1 && <li>{t('magneticOnly')}</li>}
    </ul>
  );
}

function MoreSection({ material }: MaterialSectionProps) {
  const { t, language } = useTexts(detailTexts);
  const nameOf = useScaleName();
  const hubbards = Object.entries(material.hubbards).map(([element, u]) => `${element} ${u} eV`);
  const { release, source } = material;
  const products = productsOf(material);
  const into = products.length === 0 ? '' : <Products products={products} scale={material.run_type} />;
  const decomposition = isStable(material) ? t('isStableItself') : into;
  return (
    <Section id="more" title={title[language]}>
      <div className={classes.tables}>
        <FactTable
          title={t('runType')}
          facts={known([
            stated(t('scale'), nameOf(material.run_type)),
            stated(t('functional'), functionalOf(material)),
            stated(t('calculatedAt'), material.calculated_at),
            stated(t('engineVersion'), material.vasp_version),
            stated(t('potcar'), material.potcar_symbols.join(', ')),
            stated(t('hubbards'), hubbards.join(', ')),
            magneticStarts(material).length === 0
              ? null
              : fact(t('magneticStarts'), <MagneticStarts material={material} />),
            stated(t('bandGapType'), optionText('bandGapType', material.band_gap_type, language)),
            ...LISTED_NUMBERS.map((field) => {
              const { label, unit, value, method, source: from } = numberFact(material, field);
              return value === null
                ? null
                : stated(
                    label[language],
                    <SourcedValue name={label[language]} method={method} source={from}>
                      {formatNumber(value)}
                    </SourcedValue>,
                    unit,
                  );
            }),
          ])}
        />
        <FactTable
          title={t('source')}
          facts={known([
            fact(t('source'), <SourceName material={material} />),
            stated(t('licence'), licenceIn(source.licence, language)),
            stated(t('observedTitle'), observedText(material, t, language)),
            stated(t('release'), release === null ? '' : `${release.id} (${dayOf(release.date)})`),
            stated(t('decomposition'), decomposition),
            stated(t('wyckoffs'), occupiedPositions(material)),
          ])}
        />
      </div>
    </Section>
  );
}

const observedText = (
  { observed: { status, evidence } }: MaterialDetail,
  t: Translate<(typeof detailTexts)['en']>,
  language: Language,
): string =>
  status === ''
    ? ''
    : `${t(status === 'observed' ? 'observed' : 'computedOnly')}${evidence && ` (${statementIn(evidence, language)})`}`;

export const moreSection: MaterialSection = { id: 'more', title, Component: MoreSection };
