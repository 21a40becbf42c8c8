import { describe, expect, it } from 'vitest';
import { blank, findViolations, formatViolation, importsOf } from './lib/boundaries.mjs';

const check = (files) => findViolations(new Map(Object.entries(files)));
const remedies = (files) => check(files).map(({ file, line, remedy }) => `${file}:${line} ${remedy}`);

describe('importsOf', () => {
  it('finds static, type, re-exported, side-effect and dynamic imports with their lines', () => {
    const source = [
      "import { a } from './a.ts';",
      "import type { B } from '../b.ts';",
      "export * from './c.ts';",
      "import './d.css';",
      "const e = await import('./e.ts');",
      "import {\n  f,\n} from './f.ts';",
    ].join('\n');
    expect(importsOf(source)).toEqual([
      { specifier: './a.ts', line: 1, typeOnly: false },
      { specifier: '../b.ts', line: 2, typeOnly: true },
      { specifier: './c.ts', line: 3, typeOnly: false },
      { specifier: './d.css', line: 4, typeOnly: false },
      { specifier: './e.ts', line: 5, typeOnly: false },
      { specifier: './f.ts', line: 8, typeOnly: false },
    ]);
  });

  it('reads no imports out of comments', () => {
    expect(importsOf("// import { a } from './a.ts';\n/* import './b.ts'; */\n")).toEqual([]);
  });
});

describe('blank', () => {
  it('keeps every line where it was', () => {
    const source = "a /* x\ny */ b // c\n'// no comment'";
    expect(blank(source).split('\n')).toHaveLength(3);
    expect(blank(source)).toContain("'// no comment'");
    expect(blank(source, { strings: true })).not.toContain('comment');
  });
});

describe('findViolations', () => {
  it.each([
    ['packages/contract/src/a.ts', '@unitcell/crystal', /contract may import no package of ours/],
    ['packages/numerics/src/a.ts', '@unitcell/elements', /numerics may import no package/],
    ['packages/crystal/src/a.ts', '@unitcell/symmetry', /only @unitcell\/numerics, @unitcell\/elements/],
    ['packages/diffraction/src/a.ts', '@unitcell/symmetry', /diffraction may import only/],
    ['packages/crystal/src/a.ts', '../../numerics/src/b.ts', /through another package/],
    ['packages/crystal/src/a.ts', 'node:fs', /let the app read it/],
    [
      'apps/api/src/features/xrd/xrd.service.ts',
      '../matdata/search.repository.ts',
      /feature xrd may not import feature matdata/,
    ],
    ['apps/api/src/features/xrd/xrd.repository.ts', '@unitcell/diffraction', /only SQL/],
    ['apps/api/src/features/xrd/xrd.routes.ts', '@unitcell/diffraction', /call science in the service/],
    ['apps/api/src/features/xrd/xrd.routes.ts', './xrd.repository.ts', /through the service/],
    ['apps/api/src/features/xrd/xrd.service.ts', 'pg', /only repositories speak SQL/],
    ['apps/web/src/features/xrd/a.ts', '../matdata/b.ts', /feature xrd may not import feature matdata/],
    ['apps/web/src/features/xrd/a.ts', '../../../../api/src/app.ts', /only through @unitcell\/contract/],
    ['apps/web/src/viz/chart.tsx', '../features/xrd/a.ts', /below the features/],
    ['apps/api/src/app.ts', '@testing/shared-data', /only tests/],
  ])('%s may not import %s', (file, specifier, remedy) => {
    const found = check({ [file]: `\nimport { x } from '${specifier}';\n` });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ file, line: 2 });
    expect(found[0].remedy).toMatch(remedy);
  });

  it.each([
    ['packages/tight-binding/src/a.ts', '@unitcell/symmetry'],
    ['packages/diffraction/src/a.ts', '@unitcell/crystal'],
    ['packages/crystal/src/a.test.ts', '@testing/shared-data'],
    ['packages/symmetry/src/init-symmetry-in-node.ts', 'node:fs'],
    ['apps/api/src/features/xrd/xrd.service.ts', '@unitcell/diffraction'],
    ['apps/api/src/app.ts', './features/xrd/xrd.routes.ts'],
    ['apps/web/src/features/xrd/a.ts', '@unitcell/contract'],
    ['apps/web/src/app/page.tsx', '../features/xrd/a.ts'],
  ])('%s may import %s', (file, specifier) => {
    expect(check({ [file]: `import { x } from '${specifier}';\n` })).toEqual([]);
  });

  it('lets a route name the type of its repository', () => {
    const file = 'apps/api/src/features/xrd/xrd.routes.ts';
    expect(check({ [file]: "import type { Rows } from './xrd.repository.ts';\n" })).toEqual([]);
  });

  it.each(['Math.random()', 'Date.now()', 'new Date()', 'process.env.HOME', 'console.log(1)', "fetch('x')"])(
    'a science package may not call %s',
    (call) => {
      expect(remedies({ 'packages/tensors/src/a.ts': `export const x = 1;\nconst y = ${call};\n` })).toEqual([
        expect.stringContaining('packages/tensors/src/a.ts:2 packages are pure'),
      ]);
    },
  );

  it('is not misled by such words in comments and texts', () => {
    const source = "/** Unlike Math.random(), seeded. */\nexport const text = 'console.log';\n";
    expect(check({ 'packages/tensors/src/a.ts': source })).toEqual([]);
  });

  it('finds a circle of imports, but not one of types alone', () => {
    const circle = {
      'packages/tensors/src/a.ts': "import { b } from './b.ts';\n",
      'packages/tensors/src/b.ts': "import { c } from './c.ts';\n",
      'packages/tensors/src/c.ts': "import { a } from './a.ts';\n",
    };
    expect(remedies(circle)).toEqual([expect.stringContaining('a.ts → b.ts → c.ts → a.ts')]);
    const typed = { ...circle, 'packages/tensors/src/c.ts': "import type { a } from './a.ts';\n" };
    expect(check(typed)).toEqual([]);
  });

  it('asks for kebab-case and for files of at most 500 lines', () => {
    expect(remedies({ 'apps/web/src/app/HomePage.tsx': '' })).toEqual([
      expect.stringContaining('home-page.tsx'),
    ]);
    expect(remedies({ 'apps/web/src/app/long.ts': 'x;\n'.repeat(501) })).toEqual([
      expect.stringContaining('501 lines'),
    ]);
    expect(check({ 'apps/web/src/app/long.ts': 'x;\n'.repeat(500) })).toEqual([]);
    expect(check({ 'packages/elements/src/data/long.ts': 'x;\n'.repeat(900) })).toEqual([]);
  });

  it('prints place, line and remedy', () => {
    const [violation] = check({ 'packages/numerics/src/a.ts': "import { x } from '@unitcell/crystal';\n" });
    expect(formatViolation(violation)).toMatch(
      /^packages\/numerics\/src\/a\.ts:1 {2}import \{ x \} from '@unitcell\/crystal';\n {4}→ numerics may import no package/,
    );
  });
});
