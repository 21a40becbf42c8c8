/** Opens the relaxation of a crystal, or says why there is none. */
import type { Structure } from '@unitcell/crystal';
import { outOfScope } from '@unitcell/potential';
import { useTexts } from '../../../i18n/texts.ts';
import classes from '../material.module.css';
import { relaxTexts } from './relax-texts.ts';

/** More would take minutes in a browser. */
const MOST_ATOMS = 200;

interface RelaxButtonProps {
  /** The cell that is relaxed. */
  readonly structure: Structure;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

export function RelaxButton({ structure, isOpen, onToggle }: RelaxButtonProps) {
  const { t } = useTexts(relaxTexts);
  const refusal = outOfScope(structure, MOST_ATOMS);
  if (refusal?.code === 'disordered') return <span className={classes.noRelax}>{t('noDisordered')}</span>;
  if (refusal?.code === 'unknown-element')
    return <span className={classes.noRelax}>{t('noElement', { element: refusal.element })}</span>;
  if (refusal)
    return (
      <span className={classes.noRelax}>{t('noSize', { atoms: refusal.atoms, limit: MOST_ATOMS })}</span>
    );
  return (
    <button type="button" className={classes.button} aria-expanded={isOpen} onClick={onToggle}>
      {t('relax')}
    </button>
  );
}
