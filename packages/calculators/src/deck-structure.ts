/** The parts of a structure every deck asks for. */
import type { Structure } from '@unitcell/crystal';
import { CalculatorError } from './error.ts';

export interface DeckStructure {
  /** Distinct elements in order of first appearance. */
  readonly elements: readonly string[];
  /** Element of each site. */
  readonly siteElements: readonly string[];
}

/** @throws CalculatorError `structure` for an empty cell or a site that is not one whole atom */
export function deckStructure(structure: Structure): DeckStructure {
  if (structure.sites.length === 0)
    throw new CalculatorError('structure', 'the cell has no atoms; expected at least one');
  const siteElements = structure.sites.map(({ species }, index) => {
    const [only] = species;
    if (species.length !== 1 || only.occupancy !== 1)
      throw new CalculatorError(
        'structure',
        `site ${index + 1} is partly occupied (${species.map((s) => `${s.element} ${s.occupancy}`).join(', ')}); expected one whole atom`,
      );
    return only.element;
  });
  return { elements: [...new Set(siteElements)], siteElements };
}
