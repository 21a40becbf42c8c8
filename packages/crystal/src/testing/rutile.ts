import { latticeVectorsFromParameters } from '../lattice.ts';
import { orderedSite, type Structure } from '../structure.ts';

/** a = 4.5937, c = 2.9587 Å, u = 0.3053 (Abrahams & Bernstein 1971). */
export const rutile: Structure = {
  latticeVectors: latticeVectorsFromParameters({
    a: 4.5937,
    b: 4.5937,
    c: 2.9587,
    alpha: 90,
    beta: 90,
    gamma: 90,
  }),
  sites: [
    orderedSite('Ti', [0, 0, 0]),
    orderedSite('Ti', [0.5, 0.5, 0.5]),
    orderedSite('O', [0.3053, 0.3053, 0]),
    orderedSite('O', [0.6947, 0.6947, 0]),
    orderedSite('O', [0.1947, 0.8053, 0.5]),
    orderedSite('O', [0.8053, 0.1947, 0.5]),
  ],
};
