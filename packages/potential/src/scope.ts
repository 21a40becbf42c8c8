/**
 * Which structures the included model accepts, and which differences it ignores. The weights are not needed to decide
 * this.
 */
import { compositionOf, type Structure } from '@unitcell/crystal';
import { findElement } from '@unitcell/elements';

export type OutOfScope =
  | { readonly code: 'disordered' }
  | { readonly code: 'unknown-element'; readonly element: string }
  | { readonly code: 'too-large'; readonly atoms: number };

/** The elements from hydrogen to plutonium, except polonium to radium. */
const isTrained = (atomicNumber: number): boolean =>
  atomicNumber >= 1 && atomicNumber <= 94 && !(atomicNumber >= 84 && atomicNumber <= 88);

/** Reason why the included model would refuse a structure; null if it would accept it. */
export function outOfScope(structure: Structure, mostAtoms: number): OutOfScope | null {
  const { sites } = structure;
  if (sites.some(({ species }) => species.length !== 1 || species[0].occupancy !== 1))
    return { code: 'disordered' };
  const unknown = Object.keys(compositionOf(structure)).find(
    (element) => !isTrained(findElement(element)?.number ?? 0),
  );
  if (unknown !== undefined) return { code: 'unknown-element', element: unknown };
  return sites.length > mostAtoms ? { code: 'too-large', atoms: sites.length } : null;
}

const MAGNETIC = /^(?:V|Cr|Mn|Fe|Co|Ni|Cu|Ce|Pr|Nd|Pm|Sm|Eu|Gd|Tb|Dy|Ho|Er|Tm|Yb|U|Np|Pu)$/;

/** Elements of a structure whose energies depend on a magnetic order or oxidation state that users cannot choose. */
export const averagedElements = (structure: Structure): readonly string[] =>
  Object.keys(compositionOf(structure)).filter((element) => MAGNETIC.test(element));
