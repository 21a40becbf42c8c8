import { existsSync, readFileSync } from 'node:fs';
import { inRepository } from './paths.mjs';

const ASSIGNMENT = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=\s*(.*?)\s*$/;

/** Reads `.env` in the repository root, if there is one; what the environment sets already wins. */
export function loadDotEnv(env = process.env, file = inRepository('.env')) {
  if (!existsSync(file)) return;
  for (const line of readFileSync(file, 'utf8').split(/\r?\n/)) {
    const [, name, raw] = line.match(ASSIGNMENT) ?? [];
    if (name === undefined || raw === undefined || env[name] !== undefined) continue;
    const [, , quoted] = raw.match(/^(['"])(.*)\1/) ?? [];
    const value = quoted ?? raw.replace(/\s+#.*$/, '');
    if (value !== '') env[name] = value;
  }
}
