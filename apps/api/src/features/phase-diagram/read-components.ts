/** The components of a phase diagram, read from what was typed. */
import { PHASE_DIAGRAM_COMPONENTS } from '@unitcell/contract/phase-diagram';
import { type Composition, CrystalError, displayFormula, parseFormula } from '@unitcell/crystal';
import { AppError } from '../../messages/app-error.ts';
import { reasonMessage } from '../../domain/query/query-text.ts';
import type { Component } from './phase-diagram.thread.ts';

const SEPARATORS = /[\s,;\-–—]+/;

/** @throws AppError phase.bad-component */
export function readComposition(text: string): Composition {
  try {
    return parseFormula(text);
  } catch (error) {
    if (!(error instanceof CrystalError)) throw error;
    throw new AppError('phase.bad-component', {
      text: text.slice(0, 40),
      reason: reasonMessage(error),
    });
  }
}

/**
 * Reads `Li Mn O`, `Li2O Mn O` or `Li-Mn-O`; repeats count once. `O2` is the element O.
 * @throws AppError phase.component-number, phase.bad-component
 */
export function readComponents(text: string): Component[] {
  const tokens = [...new Set(text.split(SEPARATORS).filter((token) => token !== ''))];
  // Twice what can be drawn is enough to say that there are too many.
  if (tokens.length > 2 * PHASE_DIAGRAM_COMPONENTS.max)
    throw new AppError('phase.component-number', { count: tokens.length });
  const components = new Map<string, Component>();
  for (const token of tokens) {
    const composition = readComposition(token);
    const [element = '', ...others] = Object.keys(composition);
    const component =
      others.length === 0
        ? { label: element, composition: { [element]: 1 } }
        : { label: displayFormula(composition), composition };
    components.set(component.label, component);
  }
  const { min, max } = PHASE_DIAGRAM_COMPONENTS;
  if (components.size < min || components.size > max)
    throw new AppError('phase.component-number', { count: components.size });
  return [...components.values()];
}
