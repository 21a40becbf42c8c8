/** Piezoelectric Properties. */
import { FactTable } from '../../../components/fact-table.tsx';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatNumber } from '../../../lib/format.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import { sourceOf } from '../sources-view-model.ts';
import { SourcedSection } from './sourced-section.tsx';
import { Symbol, TensorHint, TensorMatrix, TensorSymmetryNote } from './tensor-matrix.tsx';
import classes from '../material.module.css';
import { tensorTexts } from './tensor-texts.ts';
import { largestComponent, statedDecimals, VOIGT_PAIRS } from './tensor-view-model.ts';

const MOST_DECIMALS = 3;
const title = { en: 'Piezoelectric Properties', zh: '压电性质' };

function PiezoelectricSection({ material }: MaterialSectionProps) {
  const { t, language } = useTexts(tensorTexts);
  const tensor = material.epsilon_piezo.epsilon_piezo_data.piezo_total_tensor;
  if (!tensor) return null;
  const source = sourceOf(material, 'piezoelectric');
  const largest = largestComponent(tensor);
  const decimals = statedDecimals(tensor, MOST_DECIMALS);
  return (
    <SourcedSection material={material} of={['piezoelectric']} id="piezoelectric" title={title[language]}>
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
              {
                id: 'largest',
                name: (
                  <TensorHint
                    symbol={
                      <>
                        {t('piezoMax')}, <Symbol base="e" index={`${largest.row + 1}${largest.column + 1}`} />
                      </>
                    }
                    meaning={t('piezoMaxHint')}
                  />
                ),
                value: (
                  <SourcedValue name={t('piezoMaxHint')} method="piezoelectric" source={source}>
                    {formatNumber(largest.value, { decimals })}
                  </SourcedValue>
                ),
                unit: 'C/m²',
              },
            ]}
          />
        )}
      </div>
    </SourcedSection>
  );
}

export const piezoelectricSection: MaterialSection = {
  id: 'piezoelectric',
  title,
  isPresent: ({ epsilon_piezo }) => epsilon_piezo.has_piezo,
  Component: PiezoelectricSection,
};
