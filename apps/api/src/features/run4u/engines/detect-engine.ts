/** Which engine is on this machine. */
import type { EngineName, Run4uSettings } from '../run4u-settings.ts';
import { detectAbinit } from './abinit-engine.ts';
import type { Detection } from './engine.ts';
import { detectTemplate } from './template-engine.ts';

type Detector = (settings: Run4uSettings, searchPath: string) => Promise<Detection>;

const DETECTORS: Readonly<Partial<Record<EngineName, Detector>>> = {
  abinit: detectAbinit,
  template: detectTemplate,
};

/** The engine of RUN4U_ENGINE, or the first that is found; else what the operator must install. */
export async function detectEngine(settings: Run4uSettings, searchPath: string): Promise<Detection> {
  const wanted = settings.engine ?? 'abinit';
  const detect = DETECTORS[wanted];
  if (!detect) return { engine: null, missing: `RUN4U_ENGINE=${wanted} is not supported here` };
  return detect(settings, searchPath);
}
