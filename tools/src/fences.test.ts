/**
 * A violation of each kind, in a temporary folder, is reported with its line and remedy; correct code passes.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inRepository } from '../lib/paths.mjs';
import { capture } from '../lib/run.mjs';

type Planted = readonly [file: string, line: string, remedy: RegExp];
const from = (specifier: string) => `import { x } from '${specifier}'; x();`;

const FORBIDDEN: Planted[] = [
  ['apps/api/src/infra/rows.ts', 'export const a = (pool) => pool.query<{ a: 1 }>();', /prepared/],
  ['packages/contract/src/a.ts', from('@unitcell/crystal'), /contract may import only material/],
  ['packages/numerics/src/b.ts', from('@unitcell/elements'), /numerics may import no package/],
  ['packages/crystal/src/io/a.ts', from('@unitcell/symmetry'), /only numerics, elements, errors/],
  ['packages/diffraction/src/a.ts', from('@unitcell/symmetry'), /diffraction may import only/],
  ['packages/crystal/src/b.ts', from('../../numerics/src/b.ts'), /through another package/],
  ['packages/crystal/src/io/b.test.ts', from('../../../numerics/src/b.ts'), /through another package/],
  ['packages/crystal/src/c.ts', from('node:fs'), /let the app read it/],
  ['packages/crystal/src/d.ts', from('@unitcell/tools/shared-data'), /only numerics, elements, errors/],
  ['packages/tensors/src/a.ts', 'export const a = Math.random();', /seeded random source/],
  ['packages/tensors/src/b.ts', 'export const a = Date.now();', /take the time/],
  ['packages/tensors/src/c.ts', 'export const a = new Date();', /take the time/],
  ['packages/tensors/src/d.ts', 'export const a = process.env.HOME;', /take what is needed/],
  ['packages/tensors/src/e.ts', 'console.log(1);', /the caller decides what to print/],
  ['packages/tensors/src/f.ts', "export const a = fetch('x');", /take the data/],
  ['packages/tensors/src/g.test.ts', 'await vi.waitFor(() => 1);', /expect\.poll/],
  ['apps/web/e2e/a.e2e.ts', 'await vi.waitUntil(() => 1);', /expect\.poll/],
  ['apps/web/e2e/a.clients.ts', 'await vi.waitFor(() => 1);', /expect\.poll/],
  ['apps/api/src/features/xrd/a.ts', from('../search/b.ts'), /may not import another feature/],
  [
    'apps/api/src/features/xrd/match/a.service.ts',
    from('../../matdata/b.ts'),
    /may not import another feature/,
  ],
  ['apps/api/src/features/xrd/xrd.repository.ts', from('@unitcell/diffraction'), /only SQL/],
  ['apps/api/src/features/xrd/xrd.routes.ts', from('@unitcell/diffraction'), /call science in the service/],
  ['apps/api/src/features/xrd/match/m.routes.ts', from('./m.repository.ts'), /through the service/],
  ['apps/api/src/features/xrd/xrd.service.ts', from('pg'), /only repositories speak SQL/],
  ['apps/api/src/catalogue/a.ts', from('../features/xrd/a.ts'), /catalogue lies below features/],
  ['apps/api/src/catalogue/draft/a.ts', from('../../features/xrd/a.ts'), /catalogue lies below features/],
  ['apps/api/src/domain/query/a.ts', from('../../catalogue/a.ts'), /domain lies below features, catalogue/],
  ['apps/api/src/infra/a.ts', from('../domain/a.ts'), /infra lies below/],
  ['apps/api/src/http/a.routes.ts', from('../features/xrd/a.ts'), /http lies below/],
  ['apps/api/src/http/b.ts', from('../../../web/src/app/a.ts'), /never imports the web client/],
  ['apps/api/src/app.ts', from('@unitcell/tools/shared-data'), /only tests/],
  ['apps/api/src/main.ts', from('../../../workshop/nets/index.ts'), /not shipped/],
  ['apps/web/src/features/xrd/a.ts', from('../search/b.ts'), /may not import another feature/],
  ['apps/web/src/features/xrd/b.test.ts', from('../search/b.ts'), /may not import another feature/],
  ['apps/web/src/features/xrd/api/a.ts', from('../../../app/router.ts'), /features are below app/],
  ['apps/web/src/features/xrd/c.ts', from('../../../../api/src/app.ts'), /only through @unitcell\/contract/],
  ['apps/web/src/app/a.ts', from('@unitcell/api'), /only through @unitcell\/contract/],
  ['apps/web/src/app/d.ts', from('@unitcell/contract/xrd'), /bundle the validator/],
  ['packages/client/src/a.ts', from('@unitcell/contract/xrd'), /bundle the validator/],
  ['apps/web/src/app/b.ts', from('node:fs'), /runs in a browser/],
  ['apps/web/src/viz/chart.tsx', from('../features/xrd/a.ts'), /below the features/],
  ['apps/web/src/lib/units/a.ts', from('../../app/router.ts'), /below the features/],
];

const ALLOWED: readonly (readonly [file: string, line: string])[] = [
  ['apps/api/src/infra/z.ts', 'export const a = (pool) => pool.query<unknown[]>();'],
  ['apps/api/src/infra/z.test.ts', 'export const a = (pool) => pool.query<{ a: 1 }>();'],
  ['workshop/nets/z.ts', from('@unitcell/tight-binding')],
  ['packages/diffraction/src/z.ts', from('@unitcell/crystal/io')],
  ['packages/crystal/src/io/z.ts', from('../lattice.ts')],
  ['packages/crystal/src/z.test.ts', `${from('@unitcell/tools/shared-data')} console.log(new Date());`],
  ['packages/symmetry/src/moyo-wasm-in-node.ts', from('node:fs')],
  ['packages/tensors/src/z.ts', "/** Unlike Math.random(), seeded. */ export const text = 'console.log';"],
  ['apps/api/src/features/xrd/z.service.ts', from('@unitcell/diffraction')],
  ['apps/api/src/features/xrd/match/z.ts', from('../index/row.ts')],
  [
    'apps/api/src/features/xrd/z.routes.ts',
    "import type { Rows } from './xrd.repository.ts'; export type R = Rows;",
  ],
  ['apps/api/src/features/xrd/z.test.ts', from('../search/b.ts')],
  [
    'apps/api/src/features/xrd/z.ts',
    `${from('../../catalogue/a.ts')} import { y } from '../../infra/database.ts'; y();`,
  ],
  ['apps/api/src/domain/query/z.ts', from('../../infra/database.ts')],
  ['apps/api/src/app.ts.z.ts', from('./features/xrd/xrd.routes.ts')],
  [
    'apps/web/src/features/xrd/z.ts',
    `${from('@unitcell/contract/calls')} import { y } from '../../lib/a.ts'; y();`,
  ],
  ['apps/web/src/app/z.tsx', from('../features/xrd/a.ts')],
  ['apps/web/src/app/z.ts', from('@unitcell/contract/xrd/rules')],
  ['apps/web/src/app/z.test.ts', from('@unitcell/contract/xrd')],
];

interface Report {
  readonly diagnostics: readonly {
    filename: string;
    message: string;
    help?: string;
    labels: { span: { line: number } }[];
  }[];
}

let folder: string;
let report: Report;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'unitcell-fences-'));
  for (const file of ['fences.config.mjs', 'tools/asserted-rows.mjs']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(inRepository(file), join(folder, file));
  }
  for (const [file, line] of [...FORBIDDEN, ...ALLOWED]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `\n${line}\n`);
  }
  const oxlint = inRepository('node_modules/.bin/oxlint');
  const { output } = await capture(oxlint, ['-c', 'fences.config.mjs', '--format=json', '.'], {
    cwd: folder,
  });
  report = JSON.parse(output);
});
afterAll(() => rmSync(folder, { recursive: true }));

const found = (file: string) => report.diagnostics.filter(({ filename }) => filename === file);

describe('the import and purity rules of fences.config.mjs', () => {
  it.each(FORBIDDEN)('%s may not contain %s', (file, _line, remedy) => {
    const [first, ...more] = found(file);
    expect(more).toEqual([]);
    expect(`${first?.message} ${first?.help}`).toMatch(remedy);
    expect(first?.labels[0]?.span.line).toBe(2);
  });

  it.each(ALLOWED)('%s may contain %s', (file) => {
    expect(found(file)).toEqual([]);
  });
});
