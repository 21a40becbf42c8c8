/** Every call of the API: what sweeps all of them imports this file. Others import the group they need: `@unitcell/contract/matdata`. */
import { accountCalls } from './account/index.ts';
import { aboutCalls } from './about/index.ts';
import { collectionsCalls } from './collections/index.ts';
import { matdataCalls } from './matdata/index.ts';
import { topologyCalls } from './topology/index.ts';
import { phaseDiagramCalls } from './phase-diagram/index.ts';
import { ecwindowCalls } from './ecwindow/index.ts';
import { interfaceReactionCalls } from './interface-reaction/index.ts';
import { releaseCalls } from './releases/index.ts';
import { run4uCalls } from './run4u/index.ts';
import { xrdCalls } from './xrd/index.ts';
import { predictionCalls } from './prediction/index.ts';
import { designCalls } from './design/index.ts';
import { tightBindingCalls } from './tight-binding/index.ts';
import { operateCalls } from './operate/index.ts';
import type { Call } from './define-call.ts';

/** All calls, for the OpenAPI document and for tests that sweep every route. */
export const calls: readonly Call[] = [
  ...accountCalls,
  ...aboutCalls,
  ...matdataCalls,
  ...collectionsCalls,
  ...topologyCalls,
  ...phaseDiagramCalls,
  ...ecwindowCalls,
  ...interfaceReactionCalls,
  ...run4uCalls,
  ...xrdCalls,
  ...tightBindingCalls,
  ...releaseCalls,
  ...predictionCalls,
  ...designCalls,
  ...operateCalls,
];
