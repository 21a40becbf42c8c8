/** Opens the relaxation of a crystal, or explains why it is unavailable. */
import type { Structure } from '@unitcell/crystal';
import { outOfScope } from '@unitcell/potential';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import classes from '../material.module.css';

const relaxTexts = defineTexts('relax', {
  en: {
    relax: 'Relax here',
    noDisordered: 'No relaxing here: sites are shared by elements or partly vacant.',
    noElement: 'No relaxing here: the potential has no weights for {{element}}.',
    noSize: 'No relaxing here: the conventional cell has {{atoms}} atoms, more than {{limit}}.',
  },
  zh: {
    relax: '在此弛豫',
    noDisordered: '无法在此弛豫：有位置由多种元素共占或部分空缺。',
    noElement: '无法在此弛豫：该势函数没有 {{element}} 的参数。',
    noSize: '无法在此弛豫：惯用晶胞有 {{atoms}} 个原子，超过 {{limit}} 个。',
  },
});

/** Larger cells would take minutes in a browser. */
const MAX_ATOMS = 200;

interface RelaxButtonProps {
  /** The cell to relax. */
  readonly structure: Structure;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

export function RelaxButton({ structure, isOpen, onToggle }: RelaxButtonProps) {
  const { t } = useTexts(relaxTexts);
  const refusal = outOfScope(structure, MAX_ATOMS);
  if (refusal?.code === 'disordered') return <span className={classes.noRelax}>{t('noDisordered')}</span>;
  if (refusal?.code === 'unknown-element')
    return <span className={classes.noRelax}>{t('noElement', { element: refusal.element })}</span>;
  if (refusal)
    return <span className={classes.noRelax}>{t('noSize', { atoms: refusal.atoms, limit: MAX_ATOMS })}</span>;
  return (
    <button type="button" className={classes.button} aria-expanded={isOpen} onClick={onToggle}>
      {t('relax')}
    </button>
  );
}
