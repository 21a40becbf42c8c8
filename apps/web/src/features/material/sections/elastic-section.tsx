/** Elasticity: the tensor, moduli, sound velocities, thermal conductivities, and Young's modulus by direction. */
import { Suspense, useMemo } from 'react';
import { Skeleton } from '@mantine/core';
import { fromPymatgenDict } from '@unitcell/crystal';
import { elasticModuli, elasticThermal } from '@unitcell/tensors';
import { fact, FactTable } from '../../../components/fact-table.tsx';
import { PanelBoundary } from '../../../components/failure.tsx';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatNumber } from '../../../lib/format.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { directionText, modulusSurfaceOf } from '../../../viz/young-modulus-surface/modulus-surface.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import { sourceOf } from '../sources-view-model.ts';
import { SourcedSection } from './sourced-section.tsx';
import { Symbol, TensorHint, TensorMatrix, TensorSymmetryNote, tensorTexts } from './tensor-matrix.tsx';
import classes from '../material.module.css';
import { statedDecimals, VOIGT_PAIRS } from './tensor-view-model.ts';

const title = { en: 'Elasticity', zh: '弹性' };
const SURFACE_HEIGHT = 440;
/** Decimals of the constants in GPa: measured constants are not more precise. */
const MAX_DECIMALS = 1;
const PER_METRE_KELVIN = 'W/(m·K)';

const YoungModulusSurface = lazyPart(
  async () =>
    (await import('../../../viz/young-modulus-surface/young-modulus-surface.tsx')).YoungModulusSurface,
);

function ElasticSection({ material }: MaterialSectionProps) {
  const { t, language } = useTexts(tensorTexts);
  const { elastic_tensor: tensor, elastic_property: property } = material.elastic_dict;
  const surface = useMemo(() => (tensor ? modulusSurfaceOf(tensor) : null), [tensor]);
  if (!tensor || !property) return null;
  const thermal = elasticThermal(elasticModuli(tensor), fromPymatgenDict(material.structures.primitive));
  const source = sourceOf(material, 'elastic');
  const stated = statedDecimals(tensor, MAX_DECIMALS);
  const scalar = (
    name: string,
    [base, index]: readonly [string, string?],
    meaning: string,
    value: number | null,
    unit?: string,
    decimals = stated,
  ) =>
    fact(
      <>
        {name} <TensorHint symbol={<Symbol base={base} index={index ?? ''} />} meaning={meaning} />
      </>,
      <SourcedValue name={meaning} method="elastic" source={source}>
        {formatNumber(value, { decimals })}
      </SourcedValue>,
      unit,
    );
  const mean = (kind: 'bulk' | 'shear', by: 'voigt' | 'reuss' | 'hill'): string => `${t(kind)} ${t(by)}`;
  return (
    <SourcedSection material={material} of={['elastic']} id="elastic" title={title[language]}>
      <TensorSymmetryNote deviation={material.tensor_symmetry.elastic} />
      <div className={classes.wide}>
        <div className={classes.tensorStack}>
          <TensorMatrix
            title={
              <>
                {t('stiffness')}{' '}
                <TensorHint symbol={<Symbol base="C" index="ij" />} meaning={t('stiffnessHint')} />
              </>
            }
            unit="GPa"
            rows={tensor}
            decimals={stated}
            method="elastic"
            source={source}
            symbol="C"
            columns={VOIGT_PAIRS}
            rowNames={VOIGT_PAIRS}
          />
          <div className={classes.tensorColumns}>
            <FactTable
              title={t('moduli')}
              facts={[
                scalar(t('bulkName'), ['K', 'V'], mean('bulk', 'voigt'), property.k_voigt, 'GPa'),
                scalar(t('bulkName'), ['K', 'R'], mean('bulk', 'reuss'), property.k_reuss, 'GPa'),
                scalar(t('bulkName'), ['K', 'VRH'], mean('bulk', 'hill'), property.k_vrh, 'GPa'),
                scalar(t('shearName'), ['G', 'V'], mean('shear', 'voigt'), property.g_voigt, 'GPa'),
                scalar(t('shearName'), ['G', 'R'], mean('shear', 'reuss'), property.g_reuss, 'GPa'),
                scalar(t('shearName'), ['G', 'VRH'], mean('shear', 'hill'), property.g_vrh, 'GPa'),
              ]}
            />
            <FactTable
              title={t('others')}
              facts={[
                scalar(t('youngName'), ['E'], t('young'), property.y_mod, 'GPa'),
                scalar(t('poissonName'), ['ν'], t('poisson'), property.homogeneous_poisson, undefined, 3),
                scalar(
                  t('anisotropyName'),
                  ['A', 'U'],
                  t('anisotropy'),
                  property.universal_anisotropy,
                  undefined,
                  3,
                ),
                scalar(t('debyeName'), ['θ', 'D'], t('debye'), property.debye_temperature, 'K', 0),
                scalar(t('longitudinalName'), ['v', 'l'], t('longitudinal'), property.long_v, 'm/s', 0),
                scalar(t('transverseName'), ['v', 't'], t('transverse'), property.trans_v, 'm/s', 0),
                ...(thermal
                  ? [
                      scalar(
                        t('conductivityName'),
                        ['κ', 'Clarke'],
                        t('clarke'),
                        thermal.clarkeConductivity,
                        PER_METRE_KELVIN,
                        2,
                      ),
                      scalar(
                        t('conductivityName'),
                        ['κ', 'Cahill'],
                        t('cahill'),
                        thermal.cahillConductivity,
                        PER_METRE_KELVIN,
                        2,
                      ),
                    ]
                  : []),
              ]}
            />
          </div>
        </div>
        <figure className={classes.figure}>
          <figcaption className={classes.caption}>
            {t('surface')} <TensorHint symbol={<Symbol base="E(n)" />} meaning={t('surfaceHint')} />
          </figcaption>
          {surface ? (
            <PanelBoundary>
              <Suspense fallback={<Skeleton height={SURFACE_HEIGHT} />}>
                <YoungModulusSurface
                  surface={surface}
                  formula={material.formula}
                  name={`${material.struct_id}-young-modulus`}
                  height={SURFACE_HEIGHT}
                />
              </Suspense>
              <p className={classes.note}>
                <SourcedValue name={t('surface')} method="elastic" source={source}>
                  {t('surfaceNote', {
                    min: formatNumber(surface.minimum.value, { decimals: stated }),
                    minDirection: directionText(surface.minimum.direction),
                    max: formatNumber(surface.maximum.value, { decimals: stated }),
                    maxDirection: directionText(surface.maximum.direction),
                  })}
                </SourcedValue>
              </p>
            </PanelBoundary>
          ) : (
            <p className={classes.note}>{t('unstable')}</p>
          )}
        </figure>
      </div>
    </SourcedSection>
  );
}

export const elasticSection: MaterialSection = {
  id: 'elastic',
  title,
  isPresent: ({ elastic_dict }) => elastic_dict.has_elastic,
  Component: ElasticSection,
};
