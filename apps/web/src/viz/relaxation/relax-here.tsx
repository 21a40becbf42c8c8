/** "Relax here": opens the relaxation of a drawn crystal, or explains why it is unavailable. */
import { Button, Skeleton } from '@mantine/core';
import type { Structure } from '@unitcell/crystal';
import { outOfScope } from '@unitcell/potential';
import { useDeferredValue, useState } from 'react';
import { PanelBoundary } from '../../components/failure.tsx';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import type { RelaxedCrystal } from './relax-panel.tsx';
import classes from './relax.module.css';

const RelaxPanel = lazyPart(async () => (await import('./relax-panel.tsx')).RelaxPanel);

const relaxTexts = defineTexts('relax', {
  relax: ['Relax here', '在此弛豫'],
  noDisordered: [
    'No relaxing here: sites are shared by elements or partly vacant.',
    '无法在此弛豫：有位置由多种元素共占或部分空缺。',
  ],
  noElement: [
    'No relaxing here: the potential has no weights for {{element}}.',
    '无法在此弛豫：该势函数没有 {{element}} 的参数。',
  ],
  noSize: [
    'No relaxing here: the conventional cell has {{atoms}} atoms, more than {{limit}}.',
    '无法在此弛豫：惯用晶胞有 {{atoms}} 个原子，超过 {{limit}} 个。',
  ],
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
  if (refusal?.code === 'disordered')
    return <span className={`uc-fine ${classes.noRelax}`}>{t('noDisordered')}</span>;
  if (refusal?.code === 'unknown-element')
    return (
      <span className={`uc-fine ${classes.noRelax}`}>{t('noElement', { element: refusal.element })}</span>
    );
  if (refusal)
    return (
      <span className={`uc-fine ${classes.noRelax}`}>
        {t('noSize', { atoms: refusal.atoms, limit: MAX_ATOMS })}
      </span>
    );
  return (
    <Button variant="default" size="xs" h="2rem" aria-expanded={isOpen} onClick={onToggle}>
      {t('relax')}
    </Button>
  );
}

/**
 * The parts of a relaxation, for the page around a drawing. Showing another crystal closes the relaxation.
 */
export function useRelaxHere(crystal: RelaxedCrystal) {
  const { structure } = crystal;
  const [isOpen, setOpen] = useState(false);
  const [below, setBelow] = useState<HTMLElement | null>(null);
  const [moved, setMoved] = useState<Structure | null>(null);
  // Skip steps that arrive faster than they can be drawn.
  const drawn = useDeferredValue(moved);
  const [last, setLast] = useState(structure);
  if (last !== structure) {
    setLast(structure);
    setOpen(false);
    setMoved(null);
  }
  return {
    button: <RelaxButton structure={structure} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />,
    /** Buttons and state, for the place above the drawing. */
    above: isOpen && (
      <PanelBoundary
        waiting={
          <div className={classes.toCome}>
            <Skeleton height="100%" />
          </div>
        }
      >
        <RelaxPanel crystal={crystal} below={below} onShow={setMoved} />
      </PanelBoundary>
    ),
    /** The numbers, for the place below the drawing. */
    below: isOpen && <div ref={setBelow} />,
    /** The structure to draw. */
    shown: (moved && drawn) ?? structure,
  };
}
