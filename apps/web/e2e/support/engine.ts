/** The first-principles engine of Run4U, for the journeys that calculate. */
import { execFileSync } from 'node:child_process';

const ENGINE = 'abinit';

/** Why nothing can be calculated here; undefined where the engine is. */
export function engineLacks(): string | undefined {
  try {
    execFileSync(ENGINE, ['--version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return `${ENGINE} is not installed`;
  }
}
