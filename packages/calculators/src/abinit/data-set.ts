/** Head of a PAW data set in GPAW's XML form, which ABINIT reads as it is. */
import { isElementSymbol } from '@unitcell/elements';
import { CalculatorError } from '../error.ts';

export interface DataSetHead {
  readonly element: string;
  /** Electrons that are not in the core. */
  readonly valence: number;
  /** As the file names it: `PBE`. */
  readonly functional: string;
}

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]?.trim();

/**
 * @param xml the file, or its first kilobytes
 * @throws CalculatorError `data-set` when it is no PAW data set
 */
export function readDataSetHead(xml: string): DataSetHead {
  const atom = /<atom\b[^>]*>/.exec(xml)?.[0] ?? '';
  const element = attribute(atom, 'symbol') ?? '';
  const valence = Number(attribute(atom, 'valence'));
  if (!xml.includes('<paw_') || !isElementSymbol(element) || !(valence > 0))
    throw new CalculatorError(
      'data-set',
      `this is no PAW-XML data set: expected <paw_setup> with <atom symbol=… valence=…>, found ${JSON.stringify(atom.slice(0, 80))}`,
    );
  const functional = attribute(/<xc_functional\b[^>]*>/.exec(xml)?.[0] ?? '', 'name') ?? '';
  return { element, valence, functional };
}
