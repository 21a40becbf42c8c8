/**
 * `npm run generate examples`: records the answers of packages/contract/src/examples.json again, from a site
 * with the seed. The requests in the file are sent from top to bottom, so a call that needs the id of an
 * earlier one comes after it. Calls of accounts and those in `KEPT` are not sent: their answers contain
 * secrets, depend on work in progress, or need data that the seed data lack.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { calls } from '@unitcell/contract';
import type { Call } from '@unitcell/contract/common';
import type { CallExample } from '@unitcell/contract/examples';
import { startSiteWithKey } from '@unitcell/tools/clients/site-with-key';

const FILE = new URL('../../../packages/contract/src/examples.json', import.meta.url);
const KEPT =
  /^(watchSubmissions|xrdProgress|xrdCancel|cancelDesign|predictionScore|getPhononModes|getEmbed.+|.+Reports?|reportEntry)$/;
const LINE = 150;

const euSe = `data_EuSe
_cell_length_a 4.38
_cell_length_b 4.38
_cell_length_c 4.38
_cell_angle_alpha 60
_cell_angle_beta 60
_cell_angle_gamma 60
loop_
_atom_site_label
_atom_site_type_symbol
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
Eu1 Eu 0 0 0
Se1 Se 0.5 0.5 0.5
`;

/**
 * Shortens lists and texts, but not rows with fixed positions. The last two entries of a list are kept,
 * because they have a meaning in phase diagrams.
 */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 300 ? `${value.slice(0, 120)}…` : value;
  if (Array.isArray(value)) {
    const isRow = value.length < 30 && new Set(value.map((member) => typeof member)).size > 1;
    const kept = value.length > 8 && !isRow ? [...value.slice(0, 3), ...value.slice(-2)] : value;
    return kept.map(shortened);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]));
}

/** JSON with everything that fits on one line, and lists of numbers. */
function printed(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || flat.length + indent.length < LINE) return flat;
  if (Array.isArray(value) && value.every((member) => typeof member === 'number')) return flat;
  const inner = `${indent} `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const members = Array.isArray(value)
    ? value.map((member) => printed(member, inner))
    : Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${printed(member, inner)}`);
  return `${open}\n${members.map((member) => inner + member).join(',\n')}\n${indent}${close}`;
}

const { site, key, unitcell } = await startSiteWithKey();

async function answerTo(
  call: Call,
  request: unknown,
  files: Readonly<Record<string, string>>,
): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, 'accept-language': 'en' };
  const file = new FormData();
  if (typeof call.body === 'object')
    file.set(call.body.fileField, new Blob([files[call.name] ?? '']), `${call.name}.txt`);
  const answer = await fetch(site.url + call.path, {
    method: call.method,
    headers: call.body === 'json' ? { ...headers, 'content-type': 'application/json' } : headers,
    ...(call.body === 'none' ? {} : { body: call.body === 'json' ? JSON.stringify(request ?? {}) : file }),
  });
  const text = (await answer.text()).replaceAll(site.url, 'https://materials.example.org');
  const value: unknown = call.answerType === undefined ? JSON.parse(text) : text;
  if (!answer.ok || (value as { error?: string }).error === 'true')
    throw new Error(`${call.name}: ${answer.status} ${text.slice(0, 500)}`);
  return value;
}

try {
  const examples = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, CallExample>;
  const { x, y } = (examples.xrdNorData.request as { xrd_data: { x: number[]; y: number[] } }).xrd_data;
  const files = { run4uHandle: euSe, xrdReceive: x.map((angle, place) => `${angle} ${y[place]}`).join('\n') };
  await unitcell('release', 'publish');
  for (const [name, { request }] of Object.entries(examples)) {
    const call = calls.find((one) => one.name === name);
    if (!call) throw new Error(`examples.json: there is no call ${name}`);
    if (call.group === 'account' || KEPT.test(name)) continue;
    const ask = () => answerTo(call, request, files);
    let response = await ask();
    while (/^(queued|running)$/.test((response as { run?: { status: string } }).run?.status ?? ''))
      response = await ask();
    examples[name] = { ...(request === undefined ? {} : { request }), response: shortened(response) };
  }
  writeFileSync(FILE, `${printed(examples)}\n`);
} finally {
  await site.stop();
}
