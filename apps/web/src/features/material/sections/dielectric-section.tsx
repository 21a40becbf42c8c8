/** Dielectric and piezoelectric properties: tensors and derived values. */
import { piezoelectricProperties } from '@unitcell/tensors';
import type { ReactNode } from 'react';
import { fact, FactTable } from '../../../components/fact-table.tsx';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatNumber } from '../../../lib/format.ts';
import { directionText } from '../../../viz/young-modulus-surface/modulus-surface.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import classes from '../material.module.css';
import { sourceOf } from '../sources-view-model.ts';
import { SourcedSection } from './sourced-section.tsx';
import { Symbol, TensorHint, TensorMatrix, TensorSymmetryNote, tensorTexts } from './tensor-matrix.tsx';
import { dielectricDecimals, largestComponent, statedDecimals, VOIGT_PAIRS } from './tensor-view-model.ts';

const MAX_DECIMALS = 3;
const piezoelectricTitle = { en: 'Piezoelectric Properties', zh: '压电性质' };

function PiezoelectricSection({ material }: MaterialSectionProps) {
  const { t, language } = useTexts(tensorTexts);
  const tensor = material.epsilon_piezo.epsilon_piezo_data.piezo_total_tensor;
  if (!tensor) return null;
  const source = sourceOf(material, 'piezoelectric');
  const largest = largestComponent(tensor);
  const decimals = statedDecimals(tensor, MAX_DECIMALS);
  const { maxResponse, maxDirection } = piezoelectricProperties(tensor);
  return (
    <SourcedSection
      material={material}
      of={['piezoelectric']}
      id="piezoelectric"
      title={piezoelectricTitle[language]}
    >
      <TensorSymmetryNote deviation={material.tensor_symmetry.piezoelectric} />
      <div className={classes.wide}>
        <TensorMatrix
          title={
            <>
              {t('piezoTensor')}{' '}
              <TensorHint symbol={<Symbol base="e" index="ij" />} meaning={t('piezoHint')} />
            </>
          }
          unit="C/m²"
          rows={tensor}
          decimals={decimals}
          method="piezoelectric"
          source={source}
          symbol="e"
          columns={VOIGT_PAIRS}
          rowNames={['x', 'y', 'z']}
        />
        {largest && (
          <FactTable
            title={t('scalars')}
            facts={[
              fact(
                <>
                  {t('piezoMax')}{' '}
                  <TensorHint
                    symbol={<Symbol base="e" index={`${largest.row + 1}${largest.column + 1}`} />}
                    meaning={t('piezoMaxHint')}
                  />
                </>,
                <SourcedValue name={t('piezoMaxHint')} method="piezoelectric" source={source}>
                  {formatNumber(largest.value, { decimals })}
                </SourcedValue>,
                'C/m²',
              ),
              fact(
                <>
                  {t('piezoResponse')}{' '}
                  <TensorHint
                    symbol={
                      <>
                        |<Symbol base="e" />|<sub>max</sub>
                      </>
                    }
                    meaning={t('piezoResponseHint')}
                  />
                </>,
                <SourcedValue name={t('piezoResponseHint')} method="piezoelectric" source={source}>
                  {formatNumber(maxResponse, { decimals })}
                </SourcedValue>,
                'C/m²',
              ),
              ...(maxDirection
                ? [
                    fact(
                      t('piezoDirection'),
                      <SourcedValue name={t('piezoDirectionHint')} method="piezoelectric" source={source}>
                        {directionText(maxDirection)}
                      </SourcedValue>,
                    ),
                  ]
                : []),
            ]}
          />
        )}
      </div>
    </SourcedSection>
  );
}

export const piezoelectricSection: MaterialSection = {
  id: 'piezoelectric',
  title: piezoelectricTitle,
  isPresent: ({ epsilon_piezo }) => epsilon_piezo.has_piezo,
  Component: PiezoelectricSection,
};

const title = { en: 'Dielectric Properties', zh: '介电性质' };
const AXES = ['x', 'y', 'z'] as const;

function DielectricSection({ material }: MaterialSectionProps) {
  const { t, language } = useTexts(tensorTexts);
  const property = material.epsilon_piezo.epsilon_piezo_data.dielectric_property;
  if (!property) return null;
  const source = sourceOf(material, 'dielectric');
  const { epsilon_tensor: electronic, epsilon_total_tensor: total } = property;
  const decimals = dielectricDecimals(property);
  const scalar = (id: keyof typeof decimals, name: string, symbol: ReactNode, meaning: string) =>
    fact(
      <>
        {name} <TensorHint symbol={symbol} meaning={meaning} />
      </>,
      <SourcedValue name={meaning} method="dielectric" source={source}>
        {formatNumber(property[id], { decimals: decimals[id] })}
      </SourcedValue>,
    );
  return (
    <SourcedSection material={material} of={['dielectric']} id="dielectric" title={title[language]}>
      <TensorSymmetryNote deviation={material.tensor_symmetry.dielectric} />
      <div className={classes.tensorColumns}>
        <TensorMatrix
          title={
            <>
              {t('electronicTensor')}{' '}
              <TensorHint symbol={<Symbol base="ε" index="∞" />} meaning={t('epsInfTensorHint')} />
            </>
          }
          rows={electronic}
          decimals={decimals.epsilon_electron}
          method="dielectric"
          source={source}
          symbol="ε"
          columns={AXES}
          rowNames={AXES}
        />
        {total && (
          <TensorMatrix
            title={
              <>
                {t('totalTensor')}{' '}
                <TensorHint symbol={<Symbol base="ε" index="0" />} meaning={t('eps0TensorHint')} />
              </>
            }
            rows={total}
            decimals={decimals.epsilon_total}
            method="dielectric"
            source={source}
            symbol="ε"
            columns={AXES}
            rowNames={AXES}
          />
        )}
        <div>
          <FactTable
            title={t('scalars')}
            facts={[
              scalar('epsilon_electron', t('epsInfName'), <Symbol base="ε" index="∞" />, t('epsInfHint')),
              scalar('epsilon_total', t('eps0Name'), <Symbol base="ε" index="0" />, t('eps0Hint')),
              scalar('refractive_index', t('nName'), <Symbol base="n" />, t('nHint')),
            ]}
          />
          {!total && <p className={classes.note}>{t('noIonic')}</p>}
        </div>
      </div>
    </SourcedSection>
  );
}

export const dielectricSection: MaterialSection = {
  id: 'dielectric',
  title,
  isPresent: ({ epsilon_piezo }) => epsilon_piezo.has_epsilon,
  Component: DielectricSection,
};
