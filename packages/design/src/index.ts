/**
 * Designs new compounds by placing other elements on the sites of known crystals.
 *
 * @example
 * const { proposals } = propose(templates, [['Li', 'O', 'Zr']], { limit: 100 });
 * substitute(structureOf(proposals[0].templateId), proposals[0]); // the proposed crystal, its cell scaled
 */
export * from './charges.ts';
export * from './propose.ts';
