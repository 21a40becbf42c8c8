/** The features of the site, in the order in which they are registered. A new one is a line here. */
import type { FastifyInstance } from 'fastify';
import type { Services } from './domain/services.ts';
import { aboutFeature } from './features/about/about.feature.ts';
import { accountFeature } from './features/account/account.feature.ts';
import { collectionsFeature } from './features/collections/collections.feature.ts';
import { designFeature } from './features/design/design.feature.ts';
import { ecwindowFeature } from './features/ecwindow/ecwindow.feature.ts';
import { interfaceReactionFeature } from './features/interface-reaction/interface-reaction.feature.ts';
import { matdataFeature } from './features/matdata/matdata.feature.ts';
import { operateFeature } from './features/operate/operate.feature.ts';
import { optimadeFeature } from './features/optimade/optimade.feature.ts';
import { phaseDiagramFeature } from './features/phase-diagram/phase-diagram.feature.ts';
import { releasesFeature } from './features/releases/releases.feature.ts';
import { predictionFeature } from './features/prediction/prediction.feature.ts';
import { run4uFeature } from './features/run4u/run4u.feature.ts';
import { screenFeature } from './features/screen/screen.feature.ts';
import { tightBindingFeature } from './features/tight-binding/tight-binding.feature.ts';
import { topologyFeature } from './features/topology/topology.feature.ts';
import { xrdFeature } from './features/xrd/xrd.feature.ts';

type Feature = (app: FastifyInstance, services: Services) => void | Promise<void>;

export const FEATURES: readonly Feature[] = [
  // First: it makes tokens understood.
  accountFeature,
  matdataFeature,
  screenFeature,
  collectionsFeature,
  phaseDiagramFeature,
  ecwindowFeature,
  interfaceReactionFeature,
  run4uFeature,
  xrdFeature,
  predictionFeature,
  designFeature,
  tightBindingFeature,
  topologyFeature,
  aboutFeature,
  optimadeFeature,
  releasesFeature,
  operateFeature,
];
