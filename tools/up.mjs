/**
 * `npm start`: from a fresh clone to a running Unitcell. This file uses only syntax that old versions of Node
 * can parse, so that they can print the message about the version; the work is in lib/start.mjs.
 */
/** @type {[major: number, minor: number]} */
var MINIMAL_NODE = [20, 19];

var found = process.versions.node.split('.').map(Number);
var major = found[0] || 0;
var minor = found[1] || 0;
var tooOld = major < MINIMAL_NODE[0] || (major === MINIMAL_NODE[0] && minor < MINIMAL_NODE[1]);

if (tooOld) {
  process.stderr.write(
    'Unitcell needs Node ' +
      MINIMAL_NODE.join('.') +
      ' or newer; this is Node ' +
      process.versions.node +
      '. Install a newer one from https://nodejs.org (or: nvm install 20), then start again.\n',
  );
  process.exitCode = 1;
} else {
  import('./lib/start.mjs').then(
    function (start) {
      return start.main();
    },
    function (error) {
      process.stderr.write(error.stack + '\n');
      process.exitCode = 1;
    },
  );
}
