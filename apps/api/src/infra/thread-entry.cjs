/**
 * What every worker thread begins with. CommonJS on purpose: Piscina requires its file, and a thread that is ended while Node
 * requires an ES module takes the whole process with it (ModuleWrap::InstantiateSync, Node 20); an import is left unfinished.
 */
const { existsSync } = require('node:fs');
const { join } = require('node:path');

// In a build everything lies in one folder; sources are read by tsx.
const program = existsSync(join(__dirname, 'run-task.thread.js'))
  ? './run-task.thread.js'
  : './source-thread.mjs';

exports.runTask = async (message) => {
  const { runTask } = await import(program);
  return runTask(message);
};
