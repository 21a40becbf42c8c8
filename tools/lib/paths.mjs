import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(fileURLToPath(import.meta.url), '../../..');

/** A path inside the repository. @param {string[]} parts */
export const inRepository = (...parts) => resolve(root, ...parts);

/**
 * The lock of the site that runs in a data directory: it contains the site's address and, once it runs, the
 * database's port.
 * @param {string} home
 */
export const siteLock = (home) => resolve(home, 'up.lock');

/** The data directory of the embedded default: database, secret, logs, locks. */
export const unitcellHome = (env = process.env) => resolve(root, env.UNITCELL_HOME || '.unitcell');

/** Records of the last build steps; deleted together with node_modules, which they describe. */
export const stampDirectory = inRepository('node_modules', '.unitcell');

/** Where api, worker and command line run from after `buildApi()`. */
export const apiDist = inRepository('apps', 'api', 'dist');

export const webDist = inRepository('apps', 'web', 'dist');
