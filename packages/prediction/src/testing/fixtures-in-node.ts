/// <reference types="node" />
/**
 * Crystals, formulas and measured gaps that no model was trained on, with the output of the training code for some of
 * them.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { latticeVectorsFromParameters, orderedSite, type Structure } from '@unitcell/crystal';
import type { Vec3 } from '@unitcell/numerics';

interface Row {
  readonly id: string;
  readonly formula: string;
  readonly lat: readonly [number, number, number, number, number, number];
  readonly sp: readonly (string | number)[];
  readonly x: readonly number[];
}

interface SearchStatement {
  readonly row: Row;
  /**
   * For each member: the energy relative to the element references and the raw heads, for the crystal and for
   * its formula alone.
   */
  readonly said: readonly (readonly number[])[];
  readonly saidOfFormula: readonly (readonly number[])[];
}

interface HeldOut {
  /** eV/atom and eV */
  readonly crystals: readonly (Row & { readonly ef: number; readonly gap?: number })[];
  /** Formation energy of the most stable crystal, eV/atom. */
  readonly formulas: readonly { readonly formula: string; readonly ef: number }[];
  /** eV; Y. Zhuo et al., J. Phys. Chem. Lett. 9, 1668 (2018), doi:10.1021/acs.jpclett.8b00124. */
  readonly measured: readonly { readonly formula: string; readonly gap: number }[];
}

const read = (name: string): Buffer => readFileSync(new URL(`../fixtures/${name}`, import.meta.url));

/**
 * Twelve held-out crystals of the Materials Project (CC BY 4.0), with the output of the training code (torch, double
 * precision).
 */
export const agreement = JSON.parse(read('agreement.json').toString()) as readonly SearchStatement[];

/**
 * Some hundred crystals and formulas of every class from held-out chemical systems (Materials Project,
 * release of 2018, CC BY 4.0, A. Jain et al., APL Materials 1, 011002 (2013), doi:10.1063/1.4812323), sampled
 * by the SHA-1 of their names.
 */
export const heldOut = (): HeldOut => JSON.parse(gunzipSync(read('held-out.json.gz')).toString()) as HeldOut;

export function structureOf({ lat: [a, b, c, alpha, beta, gamma], sp, x }: Row): Structure {
  const symbols = sp.flatMap((entry, k) =>
    typeof entry === 'string' ? Array.from({ length: Number(sp[k + 1]) }, () => entry) : [],
  );
  return {
    latticeVectors: latticeVectorsFromParameters({ a, b, c, alpha, beta, gamma }),
    sites: symbols.map((symbol, i) =>
      orderedSite(symbol, [x[3 * i], x[3 * i + 1], x[3 * i + 2]] as unknown as Vec3),
    ),
  };
}
