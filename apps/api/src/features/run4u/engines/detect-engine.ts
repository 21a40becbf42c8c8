/** Which engine is on this machine. */
import type { EngineName, Run4uSettings } from '../run4u-settings.ts';
import { detectAbinit } from './abinit-engine.ts';
import type { Detection } from './engine.ts';
import { detectTemplate } from './template-engine.ts';
import { detectVasp } from './vasp-engine.ts';

type Detector = (settings: Run4uSettings, searchPath: string) => Promise<Detection>;

const DETECTORS: Readonly<Record<EngineName, Detector>> = {
  abinit: detectAbinit,
  vasp: detectVasp,
  template: detectTemplate,
};

/**
 * The engine of RUN4U_ENGINE; without a choice ABINIT, else whatever has been set up. When there is none, what the
 * operator must install.
 */
export async function detectEngine(settings: Run4uSettings, searchPath: string): Promise<Detection> {
  if (settings.engine) return DETECTORS[settings.engine](settings, searchPath);
  const standard = await detectAbinit(settings, searchPath);
  if (standard.engine) return standard;
  for (const detect of [detectVasp, detectTemplate]) {
    const other = await detect(settings, searchPath);
    if (other.engine) return other;
  }
  return standard;
}
