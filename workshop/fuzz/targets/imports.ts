/** Imports: documents of other databases, tables, maps, archives, harvested pages. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeCif } from '@unitcell/crystal';
import { parseKnownPhases } from '@unitcell/phase-equilibria';
import { harvestOptimade } from '../../../apps/api/src/catalogue/harvest/harvest-optimade.ts';
import {
  draftsOfUnit,
  type SourceUnit,
} from '../../../apps/api/src/catalogue/import/draft/drafts-of-unit.ts';
import type { StatedOrigin } from '../../../apps/api/src/catalogue/import/draft/stated-origin.ts';
import { headOfList } from '../../../apps/api/src/catalogue/import/import-stable-list.ts';
import { readImportMap } from '../../../apps/api/src/catalogue/import/map/import-map.ts';
import { readPropertyTable } from '../../../apps/api/src/catalogue/import/sources/property-table.ts';
import { readSource } from '../../../apps/api/src/catalogue/import/sources/read-source.ts';
import { standardise } from '../../../apps/api/src/catalogue/standardise.ts';
import { rutile } from '../../../packages/crystal/src/testing/rutile.ts';
import fc from 'fast-check';
import { damagedBytes, damagedJson, damagedText, mostly } from '../damage.ts';
import {
  answerOf,
  CORPUS,
  type Outcome,
  settled,
  settledLater,
  target,
  type Target,
  textTarget,
} from '../target.ts';

const ORIGIN: StatedOrigin = { scale: 'PBE (own)', source: 'fuzz' };

/** Imports one unit; a refused part does not prevent the rest. */
function importUnit(unit: SourceUnit, origin = ORIGIN): Outcome {
  const read = answerOf(() => draftsOfUnit(unit, origin));
  const stored = read?.drafts.filter((draft) => settled(() => standardise(draft)) === 'accepted');
  return stored && stored.length > 0 ? 'accepted' : 'refused';
}

const jsonUnit = (document: unknown): SourceUnit => ({
  label: 'fuzz.jsonl:1',
  format: 'json',
  text: JSON.stringify(document),
});

const documents = (sources: readonly unknown[]): Target =>
  target(damagedJson(sources), (document) => importUnit(jsonUnit(document)));

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'unitcell-fuzz-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function importSource(path: string): Promise<void> {
  for await (const unit of readSource(path)) importUnit(unit);
}

/** Harvests a provider that always answers with this text. */
async function harvest(folder: string, answer: string): Promise<void> {
  const server = createServer((_, response) => response.end(answer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  try {
    const options = { folder, delayMs: 0, attempts: 1, maxRows: 4, pageTimeoutMs: 2000 };
    const { path } = await harvestOptimade(`http://127.0.0.1:${port}`, options);
    await importSource(path);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

export const IMPORT_TARGETS: Readonly<Record<string, Target>> = {
  'published-document': documents(CORPUS.documents),
  'pymatgen-electrons': documents(CORPUS.electrons),
  'import-map': textTarget(
    CORPUS.maps,
    (text) => importUnit(jsonUnit(CORPUS.mappedDocument), { ...ORIGIN, map: readImportMap(text) }),
    10_000,
  ),
  'property-table': target(damagedText(CORPUS.tables), (text) =>
    settledLater(() =>
      inFolder(async (folder) => {
        const path = join(folder, 'table.csv');
        writeFileSync(path, text);
        const table = await readPropertyTable(path);
        for (const line of CORPUS.importLines) importUnit(table.join(jsonUnit(line)));
        importUnit(table.join({ label: '0.CIF', format: 'cif', text: writeCif(rutile) }));
      }),
    ),
  ),
  archive: target(
    fc.oneof(
      ...Object.entries(CORPUS.packed).map(([name, bytes]) =>
        damagedBytes([bytes]).map((read) => ({ name, bytes: read })),
      ),
    ),
    ({ name, bytes }) =>
      settledLater(() =>
        inFolder((folder) => {
          const path = join(folder, name);
          writeFileSync(path, Buffer.from(bytes, 'base64'));
          return importSource(path);
        }),
      ),
  ),
  'optimade-page': target(
    mostly(
      2,
      damagedJson(CORPUS.pages).map((page) => JSON.stringify(page)),
      damagedText(CORPUS.pages.map((page) => JSON.stringify(page))),
    ),
    (answer) => settledLater(() => inFolder((folder) => harvest(folder, answer))),
  ),
  'stable-list': textTarget(
    ['# scale: PBE (MP 2018)\n# source: fuzz\nFeLiO2:-2.077 CO2~:-1.784\nAl2Ca Li2O\n'],
    (text) => {
      headOfList(text);
      parseKnownPhases(text);
    },
    10_000,
  ),
};
