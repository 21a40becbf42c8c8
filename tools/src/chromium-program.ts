/** Selects the Chromium for the journeys: the installed one, otherwise the one from npm. */
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { findProgram } from './system-programs.ts';
import { inRepository, stampDirectory } from '../lib/paths.mjs';

const OF_THE_MACHINE = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const REMEDY =
  'Install Chromium or Chrome, or set CHROMIUM_PATH to its program; `npm test -- --without e2e` tests the rest.';

/** Launch options for playwright. `env` replaces the environment of the browser process only. */
export interface ChromiumProgram {
  readonly executablePath: string;
  readonly env?: Record<string, string>;
}

/** @throws Error with the reason and the remedy when no Chromium can run */
export function chromiumProgram(): ChromiumProgram {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH) {
    if (existsSync(CHROMIUM_PATH)) return { executablePath: CHROMIUM_PATH };
    throw new Error(`CHROMIUM_PATH is "${CHROMIUM_PATH}", which does not exist.`);
  }
  const found = findProgram(OF_THE_MACHINE);
  if (found) return { executablePath: found };
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(`Chromium is not installed, and the one from npm runs on Linux x64 only. ${REMEDY}`);
  return ofNpm();
}

/** The headless Chromium of @sparticuz/chromium with its libraries: it needs nothing from the machine. */
function ofNpm(): ChromiumProgram {
  const folder = unpacked();
  const executablePath = join(folder, 'chromium');
  const env = {
    ...(process.env as Record<string, string>),
    LD_LIBRARY_PATH: [join(folder, 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
    FONTCONFIG_PATH: folder,
  };
  const { status, stderr, error } = spawnSync(executablePath, ['--version'], { env, encoding: 'utf8' });
  if (status === 0) return { executablePath, env };
  throw new Error(`The Chromium from npm does not start (${error?.message ?? stderr.trim()}). ${REMEDY}`);
}

/** The folder of the browser, unpacked once per version: below node_modules, otherwise in the temporary folder. */
function unpacked(): string {
  const packed = inRepository('tools/node_modules/@sparticuz/chromium');
  const { version } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as { version: string };
  const name = `chromium-${version}`;
  const cached = join(stampDirectory, name);
  if (existsSync(cached)) return cached;
  const folder = isWritable(dirname(stampDirectory))
    ? cached
    : join(tmpdir(), `unitcell-${userInfo().uid}`, name);
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  // Renamed only when complete, so that two processes can unpack at once.
  const draft = mkdtempSync(`${folder}-`);
  const inflate = (file: string) => brotliDecompressSync(readFileSync(join(packed, 'bin', file)));
  for (const archive of ['al2023.tar.br', 'swiftshader.tar.br', 'fonts.tar.br']) {
    const { status, stderr } = spawnSync('tar', ['-x', '-C', draft], { input: inflate(archive) });
    if (status !== 0) throw new Error(`tar cannot unpack ${archive}: ${stderr?.toString() ?? 'no tar'}`);
  }
  writeFileSync(join(draft, 'chromium'), inflate('chromium.br'), { mode: 0o755 });
  writeFileSync(join(draft, 'fonts.conf'), fontsConfiguration(folder));
  spawnSync('chmod', ['-R', 'a+rX', draft]);
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/**
 * Fonts of the machine and of the browser. The font cache is per user, because a cache made by root could not
 * be written by other users.
 */
const fontsConfiguration = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>${folder}/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
