import { existsSync, mkdirSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { Sentence } from './sentence.mjs';

const MIB = 1024 * 1024;
/** Dependencies, their cache, the database and the builds of a first start, measured at about 1.6 GB and rounded up. */
export const FIRST_START_BYTES = 2048 * MIB;
/** Room PostgreSQL needs for its write-ahead log to start and stop safely. */
export const WARM_START_BYTES = 256 * MIB;

/** Refuses to start on a disk that would fill up half-way. */
export function checkDiskSpace(directory, neededBytes, statfs = statfsSync) {
  let existing = directory;
  while (!existsSync(existing)) existing = dirname(existing);
  const { bavail, bsize } = statfs(existing);
  const freeBytes = bavail * bsize;
  if (freeBytes >= neededBytes) return;
  const mib = (bytes) => `${Math.floor(bytes / MIB)} MiB`;
  throw new Sentence(
    `Not enough disk space: ${mib(freeBytes)} free in ${existing}, ${mib(neededBytes)} needed. Free some space, or set UNITCELL_HOME to a directory on another disk.`,
  );
}

/** Reads and checks the port. */
export function readPort(text = '3000') {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new Sentence(`PORT=${text} is not a port. Use a number from 1 to 65535, for example PORT=3000.`);
}

/** Refuses a port that something else listens on. */
export function checkPortFree(port, host) {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', (error) => {
      const sentences = {
        EADDRINUSE: `Port ${port} on ${host} is in use by another program. Stop it, or choose another port: PORT=${port + 1} npm start`,
        EACCES: `No permission to listen on port ${port}. Choose one above 1023: PORT=3000 npm start`,
        EADDRNOTAVAIL: `This machine has no address ${host} to listen on. Set HOST=127.0.0.1 (this machine only) or HOST=0.0.0.0 (every network).`,
        ENOTFOUND: `HOST=${host} is not a known address. Set HOST=127.0.0.1 (this machine only) or HOST=0.0.0.0 (every network).`,
      };
      fail(sentences[error.code] ? new Sentence(sentences[error.code]) : error);
    });
    server.listen(port, host, () => server.close(() => done()));
  });
}

/** Makes the data directory, or says why it cannot be used. */
export function prepareHome(home) {
  try {
    mkdirSync(home, { recursive: true });
  } catch (error) {
    if (error.code === 'ENOSPC') throw error;
    throw new Sentence(
      `The data directory ${home} cannot be made (${error.code}). Set UNITCELL_HOME to a directory you may write to.`,
    );
  }
}
