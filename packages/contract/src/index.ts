/** Every call of the API, one object each, by group. `calls` lists them all. */
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

export * from './common.ts';
export * from './define-call.ts';
export * from './site-config.ts';
export * from './material/result-schemas.ts';
export * from './catalogue/import-line.ts';
export * from './jobs/index.ts';
export * from './account/index.ts';
export * from './about/index.ts';
export * from './collections/index.ts';
export * from './matdata/index.ts';
export * from './topology/index.ts';
export * from './phase-diagram/index.ts';
export * from './ecwindow/index.ts';
export * from './interface-reaction/index.ts';
export * from './releases/index.ts';
export * from './run4u/index.ts';
export * from './xrd/index.ts';
export * from './tight-binding/index.ts';
export * from './prediction/index.ts';
export * from './design/index.ts';
export * from './operate/index.ts';

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
