/** Strontium titanate, a = 3.905 Å: the ideal perovskite. */
import { orderedSite, type Structure } from '@unitcell/crystal';
import { useTexts } from '../../../../i18n/texts.ts';
import { CrystalSketch } from '../../../../viz/crystal-sketch/crystal-sketch.tsx';
import { aboutTexts } from '../../texts.ts';

const A = 3.905;
const PEROVSKITE: Structure = {
  latticeVectors: [
    [A, 0, 0],
    [0, A, 0],
    [0, 0, A],
  ],
  sites: [
    orderedSite('Sr', [0, 0, 0]),
    orderedSite('Ti', [0.5, 0.5, 0.5]),
    orderedSite('O', [0.5, 0.5, 0]),
    orderedSite('O', [0.5, 0, 0.5]),
    orderedSite('O', [0, 0.5, 0.5]),
  ],
};
const TITANIUM = ['Ti'];
/** Pigments of the page instead of the viewer's signal colours. */
const COLORS = { Sr: 'var(--uc-orpiment)', Ti: 'var(--uc-prussian)', O: 'var(--uc-cinnabar)' };

export function Perovskite() {
  const { t } = useTexts(aboutTexts);
  return (
    <CrystalSketch
      structure={PEROVSKITE}
      label={t('figCrystal')}
      repeats={2}
      polyhedraOf={TITANIUM}
      colors={COLORS}
    />
  );
}
