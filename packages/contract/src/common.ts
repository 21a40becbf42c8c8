/**
 * The base of the contract: how a call is described, and the shapes that many calls share. The server validates with
 * a call, the web client is typed by it, and the OpenAPI document is generated from it.
 */
import { z } from 'zod';
import type { CallAddress } from './calls.ts';

// Description of a call.

/**
 * Who may make a call: anyone, anyone with a valid token, or an administrator who has signed in (never an API
 * key).
 */
export type Access = 'public' | 'user' | 'administrator';

/** Format of the request: JSON body, one uploaded file (multipart), or none. */
export type RequestBody = 'json' | 'none' | UploadBody;
export interface UploadBody {
  readonly fileField: string;
  /** Description of the file. */
  readonly meaning: string;
  readonly maxBytes: number;
  /** Error codes for a missing file and for one that is too large. */
  readonly missing: string;
  readonly tooLarge: string;
}

interface CallDescription<
  Request extends z.ZodType,
  Answer extends z.ZodType,
  CallAccess extends Access,
  Body extends RequestBody,
  Code extends string,
> {
  /** Name of the group. Default: the first part of the path, which differs from the group in some old addresses. */
  readonly group?: string;
  readonly summary: string;
  /** Default: `user`. */
  readonly access?: CallAccess;
  /** Default: `json` for POST, `none` for GET. */
  readonly body?: Body;
  /** Default: no request. */
  readonly request?: Request;
  /** The successful answer. */
  readonly answer: Answer;
  /** Codes of the situations of spec §8 in which the call returns status 200 with `error: "true"`; default: none. */
  readonly refusals?: readonly Code[];
  /** Codes that have their own status (404, 413, 429), in addition to those common to all calls of its kind. */
  readonly faults?: readonly string[];
  /** A public call that recognises members by their token. */
  readonly knowsMembers?: true;
  /** The calculation may occupy a thread. Such calls have a budget per account and minute. */
  readonly calculates?: true;
  /** The answer holds all data of one material. Members have a lower budget for such calls. */
  readonly isDetail?: true;
  /** The answer depends only on the site's data. It has an ETag, and caches may store and revalidate it. */
  readonly cache?: 'public' | 'private';
  /** Limit of a JSON body in bytes; default 64 KiB. */
  readonly maxBodyBytes?: number;
  /** Format of an answer that is not JSON: a stream, or a file of one of these types. */
  readonly answerType?: 'text/event-stream' | readonly string[];
}

type Defaults = 'group' | 'access' | 'body' | 'request' | 'refusals';

export interface Call<
  Request extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  CallAccess extends Access = Access,
  Body extends RequestBody = RequestBody,
  Code extends string = string,
> extends CallAddress,
    Omit<CallDescription<Request, Answer, CallAccess, Body, Code>, Defaults>,
    Required<Pick<CallDescription<Request, Answer, CallAccess, Body, Code>, Defaults>> {
  /** Body of a response with status 200: the answer, or a refusal. */
  readonly response: z.ZodType;
}

export type CallRequest<C extends Call> = z.input<C['request']>;
/** The successful answer. */
export type CallAnswer<C extends Call> = z.output<C['answer']>;
/** The successful answer, or a refusal if the call has any. */
export type CallResponse<C extends Call> =
  | CallAnswer<C>
  | (C['refusals'][number] extends never ? never : Refusal<C['refusals'][number]>);

const GROUP_OF_PART: Readonly<Record<string, string>> = {
  arkid: 'account',
  key: 'account',
  irvsp: 'topology',
  releases: 'matdata',
};

const groupOf = ({ path }: CallAddress): string => {
  const part = path.split('/')[2] ?? '';
  return GROUP_OF_PART[part] ?? part.replaceAll('_', '-');
};

/** A call with its address and the defaults of {@link CallDescription}; its response includes the refusals. */
export function defineCall<
  Answer extends z.ZodType,
  Request extends z.ZodType = typeof emptyRequest,
  const CallAccess extends Access = 'user',
  const Body extends RequestBody = Exclude<RequestBody, UploadBody>,
  const Code extends string = never,
>(
  address: CallAddress,
  call: CallDescription<Request, Answer, CallAccess, Body, Code>,
): Call<Request, Answer, CallAccess, Body, Code>;
export function defineCall(
  { name, method, path }: CallAddress,
  call: CallDescription<z.ZodType, z.ZodType, Access, RequestBody, string>,
): Call {
  const { answer, refusals = [] } = call;
  return {
    group: groupOf({ name, method, path }),
    access: 'user',
    body: method === 'GET' ? 'none' : 'json',
    request: emptyRequest,
    ...call,
    name,
    method,
    path,
    refusals,
    response: refusals.length === 0 ? answer : z.union([answer, refusalWith(refusals)]),
  };
}

const strict = new WeakMap<z.ZodType, z.ZodType>();

/**
 * Rejects unknown fields: a misspelled filter would otherwise be ignored silently. Each schema is made once, because
 * zod prepares it at its first use.
 */
export function strictRequest({ request }: Call): z.ZodType {
  if (!(request instanceof z.ZodObject)) return request;
  const made = strict.get(request) ?? request.strict().meta(request.meta() ?? {});
  strict.set(request, made);
  return made;
}

// A file with its own address, fetched by GET, for programs without JSON (wget, a browser, a notebook).

export interface FileAddress<Query extends z.ZodType = z.ZodType> {
  /** Unique among calls and files, in camelCase; also the OpenAPI operationId. */
  readonly name: string;
  readonly group: string;
  /** `{struct_id}` stands for the id of a material. */
  readonly path: `/api/materials/{struct_id}${string}`;
  readonly summary: string;
  /** Media type of the file. */
  readonly type: string;
  readonly query: Query;
  /** Refusal codes, sent with status 422. */
  readonly refusals?: readonly string[];
  /** The calculation may occupy a thread, as in {@link Call.calculates}. */
  readonly calculates?: true;
}

/** Preserves the literal type of the query. */
export const defineFile = <Query extends z.ZodType>(file: FileAddress<Query>): FileAddress<Query> => file;

// Descriptions of fields, shown in the OpenAPI document.

/**
 * Description and unit of a field, for its `.meta()`: `z.number().meta(unit('eV/atom', 'Energy above the
 * hull.'))`.
 */
export const unit = (symbol: string | null, meaning: string) =>
  symbol === null ? { description: meaning } : { description: `${meaning} In ${symbol}.`, 'x-unit': symbol };

/** A row of values by position: `names` lists the fixed order; the OpenAPI document names each position. */
export function positionalRow<
  const Names extends readonly string[],
  Fields extends Readonly<Record<Names[number], z.ZodType>>,
>(
  names: Names,
  fields: Fields,
): z.ZodType<{ -readonly [Index in keyof Names]: z.output<Fields[Names[Index] & keyof Fields]> }>;
export function positionalRow(names: readonly string[], fields: Readonly<Record<string, z.ZodType>>) {
  const [first = z.never(), ...others] = names.map(
    (name) => fields[name]?.meta({ title: name }) ?? z.never(),
  );
  return z.tuple([first, ...others]);
}

// Refusal codes shared by several groups of calls.

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

/** Refusals of calls that read the components of a diagram from a text. */
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

/** Refusals of calls that take a temperature and pressure of oxygen. */
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

// Energy scale of an answer. Scales are never mixed: one answer uses a single scale.

export const energyScale = z
  .object({
    functional: z
      .string()
      .describe('Name of the energy scale. Energies of different scales are never mixed in one answer.'),
    release: z
      .object({
        id: z.int().describe('Number of the last rebuild of derived data, the same in all answers.'),
        date: z.string().describe('Date of the last rebuild of derived data, YYYY-MM-DD.'),
      })
      .nullable()
      .describe('The release of the catalogue; null before the first hulls of this scale.'),
  })
  .describe('Energy scale of formation energies and energies above the hull.');
export type EnergyScale = z.infer<typeof energyScale>;

export const functional = z
  .string()
  .max(100)
  .optional()
  .describe(
    'Energy scale; the default of the site when absent or empty. Energies of different scales are never mixed in one answer.',
  );

/** Limit of missing compounds listed by name in an answer with many rows. */
export const MAX_MISSING_IN_LISTS = 4;

/** Completeness of the catalogue for the rows of a list. */
export const listCompleteness = z.object({
  status: z
    .enum(['known', 'not-known'])
    .describe('known, or not-known if the site has no list of the stable compositions.'),
  incomplete: z
    .record(
      z.string(),
      z.object({
        missing: z
          .array(z.string())
          .max(MAX_MISSING_IN_LISTS)
          .describe(
            'Compounds that are stable on the scale but missing from the catalogue, the simplest first.',
          ),
        missing_count: z.int().describe('Number of missing compounds; not all of them are listed.'),
      }),
    )
    .describe(
      'Incomplete chemical systems (for windows that of material and ion) with their missing compounds: `C-Li-O` → CO2.',
    ),
  source: z.string().nullable().describe('Source of the list of stable compositions; null without one.'),
});
export type ListCompleteness = z.infer<typeof listCompleteness>;

/** Field for answers that contain rows of materials. */
export const completenessOfRows = listCompleteness
  .optional()
  .describe(
    'Chemical systems with missing compounds: energies above the hull of their rows are lower bounds.',
  );
