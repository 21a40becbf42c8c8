/**
 * Every call of the API. Only code that iterates over all calls imports this file; others import the group
 * they need: `@unitcell/contract/matdata`.
 */
import * as about from './about/index.ts';
import * as account from './account/index.ts';
import * as coatings from './coatings/index.ts';
import * as collections from './collections/index.ts';
import type { Call } from './define-call.ts';
import * as design from './design/index.ts';
import * as ecwindow from './ecwindow/index.ts';
import * as electrodes from './electrodes/index.ts';
import * as interfaceReaction from './interface-reaction/index.ts';
import * as matdata from './matdata/index.ts';
import * as operate from './operate/index.ts';
import * as phaseDiagram from './phase-diagram/index.ts';
import * as prediction from './prediction/index.ts';
import * as releases from './releases/index.ts';
import * as run4u from './run4u/index.ts';
import * as stability from './stability/index.ts';
import * as tightBinding from './tight-binding/index.ts';
import * as topology from './topology/index.ts';
import * as xrd from './xrd/index.ts';

const modules = {
  account,
  about,
  matdata,
  collections,
  topology,
  phaseDiagram,
  ecwindow,
  electrodes,
  interfaceReaction,
  coatings,
  stability,
  run4u,
  xrd,
  tightBinding,
  releases,
  prediction,
  design,
  operate,
};
/** The groups by name, for the types of calls.ts. */
export type Modules = typeof modules;

const isCall = (value: unknown): value is Call =>
  typeof value === 'object' && value !== null && 'response' in value && 'refusals' in value;

/** All calls exported by the groups. */
export const calls: readonly Call[] = Object.values<object>(modules).flatMap((module) =>
  Object.values(module).filter(isCall),
);

/** Descriptions of the groups of calls for programs. */
export const GROUPS: Readonly<Record<string, string>> = {
  about: 'The public pages',
  account: 'Signing in, the profile, keys; closed to keys but for what a key may ask of itself',
  coatings: 'Coatings between two phases, and matrices of interface reactions',
  collections: 'Collections of materials and saved searches',
  ecwindow: 'Electrochemical windows',
  electrodes: 'Insertion electrodes, and the conversion of a material',
  'interface-reaction': 'Reactions at interfaces',
  matdata: 'Materials: searching, screening, details, files, releases',
  'phase-diagram': 'Phase diagrams and energy scales',
  prediction: 'Properties predicted by a neural network',
  design: 'New compounds: elements exchanged in known crystals, ranked by the predicted distance to the hull',
  run4u: 'First-principles calculations of own structures',
  stability: 'Reactions at temperature and pressure, Ellingham and Pourbaix diagrams',
  'tight-binding': 'Bands of plane nets',
  topology: 'Topological classes',
  xrd: 'Matching of powder patterns',
};
