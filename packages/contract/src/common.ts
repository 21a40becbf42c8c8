/** Shapes that many calls share. */
import { z } from 'zod';
import { unit } from './field-meta.ts';

/** Refusal codes shared by several groups of calls. */

export const ELEMENT_SEARCH = [
  'search.too-long',
  'search.no-elements',
  'search.unknown-elements',
  'search.formula-in-element-mode',
] as const;
export const FORMULA_SEARCH = ['search.too-long', 'search.formula-start', 'search.bad-formula'] as const;
export const ID_SEARCH = ['search.too-long', 'search.bad-struct-id'] as const;

/** Refusals of calls that use the phases of a chemical system. */
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

/** Refusals of calls that take a gas as reservoir of elements. */
export const OPEN_GAS = [
  'phase.unknown-gas',
  'phase.undetermined-gas',
  'stability.bad-temperature',
  'stability.bad-pressure',
] as const;

/** Refusals of calls that take one temperature for all phases. */
export const AT_TEMPERATURE = [
  'phase.bad-temperature',
  'phase.two-temperatures',
  'phase.no-gibbs-energy',
] as const;

/** Refusals of calls that read a diagram between typed components. */
export const DIAGRAMS = ['phase.component-number', 'phase.bad-component', ...PHASES] as const;

/** Refusals of calculated powder patterns. */
export const PATTERN = [
  'xrd.bad-wavelength',
  'xrd.bad-size',
  'material.too-many-reflections',
  'material.no-scattering-factor',
  'material.no-scattering-length',
  'material.no-pattern',
] as const;

/** Refusals of filters and of paged results. */
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

/** Refusals of oxygen at a temperature and pressure. */
export const IN_OXYGEN = ['stability.bad-temperature', 'stability.bad-pressure'] as const;

/** The challenge a client must solve before a paid text message; see rules.ts. */
export const proofOfWork = z.object({
  challenge: z.string().describe('Start of the text to be hashed.'),
  bits: z
    .int()
    .describe(
      'Number of zero bits at the start of the SHA-256 of each of the eight parts `challenge:part:number`.',
    ),
  seconds: z.int().meta(unit('s', 'Time after which the proof is no longer accepted.')),
});
export type ProofOfWork = z.infer<typeof proofOfWork>;

/** The call takes no request body. */
export const emptyRequest = z.object({}).optional();

/** The first fields of every successful answer. */
export const outcome = z.object({
  error: z.literal('false').describe('"false": the request succeeded.'),
  message: z
    .string()
    .describe('Text for people, in the language of Accept-Language; often empty in a successful answer.'),
});

/**
 * The answer when a request cannot be fulfilled (spec §8): status 200 and a sentence in the language of
 * `Accept-Language`.
 */
export interface Refusal<Code extends string = string> {
  readonly error: 'true';
  readonly message: string;
  readonly code: Code;
  /** The challenge of `login.proof-needed`. */
  readonly proof?: ProofOfWork;
}

export const refusalWith = (codes: readonly string[]) =>
  z.object({
    error: z.literal('true').describe('"true": a refusal; the message says what to do.'),
    message: z.string().describe('Text for people, in the language of Accept-Language.'),
    code: z.enum(codes).describe('Code of the situation, for programs; its meaning never changes.'),
    error_code: z
      .string()
      .optional()
      .describe('Number of the situation in the specification of the site, if it has one.'),
    ...(codes.includes('login.proof-needed')
      ? {
          proof: proofOfWork
            .optional()
            .describe(
              'The challenge of login.proof-needed: cheap for one person, expensive for mass requests.',
            ),
        }
      : {}),
  });

/** The largest number that a column of ids can hold. */
export const MAX_ID = 2_147_483_647;

/** Id of a stored row, such as a collection, a key, a submission or a material of a list. */
export const rowId = z.int().positive().max(MAX_ID);

/** Identifier of a material: an integer, accepted as a number or as text with or without leading zeros. */
export const structId = z
  .union([
    z.int().nonnegative().max(MAX_ID),
    z
      .string()
      .trim()
      .regex(/^\d{1,10}$/, 'an integer of at most ten digits'),
  ])
  .describe('Id of the material in this database.');

/** Fields of a material that many answers contain. */
export const materialId = z.int().describe('Id of the material in this database.');
export const formula = z.string().describe('Chemical formula in conventional order.');
export const spaceGroup = z.string().describe('Hermann–Mauguin symbol of the space group.');
export const atomCount = z.int().describe('Number of atoms in the primitive cell.');

/** Parses a {@link structId} (or any text typed for one); null when it cannot be the id of a material. */
export function parseStructId(input: string | number): number | null {
  const text = String(input).trim();
  if (!/^\d{1,10}$/.test(text)) return null;
  const id = Number(text);
  return id <= MAX_ID ? id : null;
}

/** A number, or a number as text, because forms send text; an empty text means 0. */
export const numeric = z.union([
  z.number(),
  z
    .string()
    .max(64)
    .regex(/^\s*(?:[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?\s*)?$/)
    .transform(Number),
]);

/** Body of every answer with a status of 400 or above. */
export const problem = z.object({
  error: z.literal('true').describe('"true": a refusal; the message says what to do.'),
  message: z.string().describe('Text for people, in the language of Accept-Language.'),
  code: z.string().describe('Code of the situation, for programs; its meaning never changes.'),
  detail: z.string().optional().describe('Why a token is refused: "Invalid token" or "Token has expired".'),
  error_id: z
    .string()
    .optional()
    .describe('Reference of the error for the operator, who finds the details in the server’s log.'),
});
export type Problem = z.infer<typeof problem>;
