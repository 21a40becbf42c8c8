/** Codes of refusals that calls of several groups share. */

export const ELEMENT_SEARCH = [
  'search.too-long',
  'search.no-elements',
  'search.unknown-elements',
  'search.formula-in-element-mode',
] as const;
export const FORMULA_SEARCH = ['search.too-long', 'search.formula-start', 'search.bad-formula'] as const;
export const ID_SEARCH = ['search.too-long', 'search.bad-struct-id'] as const;

/** Of whatever stands on the phases of a chemical system. */
export const PHASES = [
  'phase.unknown-scale',
  'phase.no-data',
  'phase.too-many-elements',
  'phase.empty',
  'phase.invalid-entry',
  'phase.duplicate-id',
  'phase.unknown-element',
  'phase.missing-reference',
  'phase.outside-system',
  'phase.dependent-components',
  'phase.component-count',
  'phase.working-ion',
  'phase.reactant',
] as const;

/** Of calculated powder patterns. */
export const PATTERN = [
  'xrd.bad-wavelength',
  'xrd.bad-size',
  'material.too-many-reflections',
  'material.no-scattering-factor',
  'material.no-pattern',
] as const;
