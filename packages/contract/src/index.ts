/**
 * Every call of the API. Only code that iterates over all calls imports this file; others import the group
 * they need: `@unitcell/contract/matdata`.
 */
import * as about from './about/index.ts';
import * as account from './account/index.ts';
import type { CallAddress } from './calls.ts';
import * as coatings from './coatings/index.ts';
import * as collections from './collections/index.ts';
import type * as call from './common.ts';
import * as design from './design/index.ts';
import * as ecwindow from './ecwindow/index.ts';
import * as electrodes from './electrodes/index.ts';
import * as interfaceReaction from './interface-reaction/index.ts';
import * as matdata from './matdata/index.ts';
import * as operate from './operate/index.ts';
import * as phaseDiagram from './phase-diagram/index.ts';
import * as prediction from './prediction/index.ts';
import * as run4u from './run4u/index.ts';
import * as stability from './stability/index.ts';
import * as tightBinding from './tight-binding/index.ts';
import * as xrd from './xrd/index.ts';

const modules = {
  account,
  about,
  matdata,
  collections,
  phaseDiagram,
  ecwindow,
  electrodes,
  interfaceReaction,
  coatings,
  stability,
  run4u,
  xrd,
  tightBinding,
  prediction,
  design,
  operate,
};

/** Everything that the groups export, by its name. */
type Definitions = {
  [Group in keyof typeof modules]: (definitions: (typeof modules)[Group]) => void;
}[keyof typeof modules] extends (definitions: infer All) => void
  ? All
  : never;
/** Names of the calls. Comparing each export with the whole type `Call` would take the compiler seconds per project. */
type CallName = {
  [Name in keyof Definitions]: Definitions[Name] extends { readonly refusals: object } ? Name : never;
}[keyof Definitions];

/** The definition of a call, found by the name in its address. The request of an arbitrary call is unknown. */
type OfAny<C extends CallAddress, Known> = CallName extends C['name'] ? unknown : Known;
type Definition<C extends CallAddress> = Definitions[C['name'] & CallName];
export type CallRequest<C extends CallAddress> = OfAny<C, call.CallRequest<Definition<C>>>;
/** The successful answer. */
export type CallAnswer<C extends CallAddress> = OfAny<C, call.CallAnswer<Definition<C>>>;
/** The successful answer, or a refusal if the call has any. */
export type CallResponse<C extends CallAddress> = OfAny<C, call.CallResponse<Definition<C>>>;

const isCall = (value: unknown): value is call.Call =>
  typeof value === 'object' && value !== null && 'response' in value && 'refusals' in value;

/** All calls exported by the groups. */
export const calls: readonly call.Call[] = Object.values<object>(modules).flatMap((module) =>
  Object.values(module).filter(isCall),
);

/** Descriptions of the groups of calls for programs. */
export const GROUPS: Readonly<Record<string, string>> = {
  about: 'The public pages',
  account: 'Sign-in, profile and API keys; with an API key, only the calls about the key itself work',
  coatings: 'Coatings between two phases, and matrices of interface reactions',
  collections: 'Collections of materials and saved searches',
  ecwindow: 'Electrochemical windows',
  electrodes: 'Insertion electrodes, and the conversion of a material',
  'interface-reaction': 'Reactions at interfaces',
  matdata: 'Materials: searching, screening, details, files, releases',
  'phase-diagram': 'Phase diagrams and energy scales',
  prediction: 'Properties predicted by a neural network',
  design: 'New compounds: elements exchanged in known crystals, ranked by the predicted distance to the hull',
  run4u: 'Calculations of your own structures',
  stability: 'Reactions at temperature and pressure, Ellingham and Pourbaix diagrams',
  'tight-binding': 'Band structures of 2D lattices',
  topology: 'Topological classes',
  xrd: 'Matching of powder patterns',
};
