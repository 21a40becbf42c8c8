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

/** Of whatever is read from a diagram between components that were typed. */
export const DIAGRAMS = ['phase.component-number', 'phase.bad-component', ...PHASES] as const;

/** Of calculated powder patterns. */
export const PATTERN = [
  'xrd.bad-wavelength',
  'xrd.bad-size',
  'material.too-many-reflections',
  'material.no-scattering-factor',
  'material.no-pattern',
] as const;

/** Of filters, and of the pages of what they find. */
export const FILTER = [
  'filter.too-long',
  'filter.too-deep',
  'filter.too-many-terms',
  'filter.too-many-lists',
  'filter.bad-tree',
  'filter.unexpected-character',
  'filter.unclosed-text',
  'filter.unclosed-expression',
  'filter.bad-expression',
  'filter.expression-too-long',
  'filter.too-many-expressions',
  'filter.not-a-number',
  'filter.no-function',
  'filter.different-units',
  'filter.unit-not-possible',
  'filter.number-range',
  'filter.expected-property',
  'filter.expected-condition',
  'filter.expected-value',
  'filter.expected-number',
  'filter.expected-parenthesis',
  'filter.expected-end',
  'filter.two-constants',
  'filter.list-lengths',
  'filter.unknown-property',
  'filter.needs-number',
  'filter.needs-text',
  'filter.needs-flag',
  'filter.needs-list',
  'filter.is-list',
  'filter.no-order',
  'filter.different-types',
  'filter.unknown-option',
  'filter.upside-down',
  'screen.unknown-field',
  'screen.cursor-unreadable',
  'screen.cursor-query',
  'screen.cursor-release',
  'phase.unknown-scale',
] as const;
