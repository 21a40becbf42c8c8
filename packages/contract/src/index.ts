/** Every call of the API: what sweeps all of them imports this file. Others import the group they need: `@unitcell/contract/matdata`. */
import * as about from './about/index.ts';
import * as account from './account/index.ts';
import * as collections from './collections/index.ts';
import type { Call } from './define-call.ts';
import * as design from './design/index.ts';
import * as ecwindow from './ecwindow/index.ts';
import * as interfaceReaction from './interface-reaction/index.ts';
import * as matdata from './matdata/index.ts';
import * as operate from './operate/index.ts';
import * as phaseDiagram from './phase-diagram/index.ts';
import * as prediction from './prediction/index.ts';
import * as releases from './releases/index.ts';
import * as run4u from './run4u/index.ts';
import * as tightBinding from './tight-binding/index.ts';
import * as topology from './topology/index.ts';
import * as xrd from './xrd/index.ts';

const groups: readonly object[] = [
  account,
  about,
  matdata,
  collections,
  topology,
  phaseDiagram,
  ecwindow,
  interfaceReaction,
  run4u,
  xrd,
  tightBinding,
  releases,
  prediction,
  design,
  operate,
];

const isCall = (value: unknown): value is Call =>
  typeof value === 'object' && value !== null && 'response' in value && 'refusals' in value;

/** All calls that the groups export. */
export const calls: readonly Call[] = groups.flatMap((group) => Object.values(group).filter(isCall));
