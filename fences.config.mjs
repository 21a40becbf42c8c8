/**
 * Import rules for oxlint: `npm run boundaries`. Prints the offending line with its remedy.
 *
 * PACKAGE_IMPORTS lists the packages that each package may import. Science packages do no input or output.
 * In the api, imports run features → http, catalogue → domain → infra; routes import the contract, repositories the database.
 * In the web client, app/ imports features, and features import viz, components and lib. It never imports the api.
 *
 * If two overrides match a file, the later one replaces the earlier one. So every file gets all its rules from a single override.
 */

const BASE = ['numerics', 'elements', 'errors'];
const SCIENCE = [...BASE, 'crystal'];

/** The packages of this repository that each package may import. */
const PACKAGE_IMPORTS = {
  contract: ['material'],
  client: ['contract'],
  elements: [],
  numerics: [],
  crystal: BASE,
  symmetry: SCIENCE,
  diffraction: SCIENCE,
  'phase-equilibria': SCIENCE,
  tensors: SCIENCE,
  prediction: SCIENCE,
  potential: SCIENCE,
  design: SCIENCE,
  'tight-binding': SCIENCE,
  errors: [],
  calculators: SCIENCE,
  material: ['numerics', 'elements', 'crystal'],
  filter: ['errors', 'elements', 'material'],
};

const DEPTHS = [0, 1, 2, 3, 4];
const TESTS = '{test,e2e,institute,clients,nightly}.{ts,tsx}';
const TEST_FILES = [`**/*.${TESTS}`, '**/testing/**'];

const NODE = '^(node:|(fs|path|os|http|https|child_process|worker_threads|crypto)$)';
/** Matches an import that leaves a folder, for a file `depth` folders below it. */
const out = (depth) => `^${'\\.\\./'.repeat(depth + 1)}`;
/** Pattern of the files `depth` folders below a folder. */
const at = (folder, depth, end = '*.ts') => `${folder}/${'*/'.repeat(depth)}${end}`;

/** All packages of this repository except these. */
const ofOurs = (...allowed) => [
  '@unitcell/**',
  ...allowed.flatMap((name) => [`!@unitcell/${name}`, `!@unitcell/${name}/**`]),
];

/** Forbids imports that match a regular expression, or a list of patterns as in .gitignore. */
const deny = (what, message, options = {}) => ({
  [Array.isArray(what) ? 'group' : 'regex']: what,
  message,
  ...options,
});
/** Imports of types are allowed: they do not depend on how the other code works. */
const code = { allowTypeImports: true };
const fence = (files, patterns, excludeFiles = []) => ({
  files,
  excludeFiles,
  rules: { 'no-restricted-imports': ['error', { patterns }] },
});

/** Files of the contract without schemas, which the web client and programs bundle. */
const noSchemas = (...denied) =>
  deny(
    [...denied, ...['calls', '*/rules', 'site-config'].map((name) => `!@unitcell/contract/${name}`)],
    'this would bundle the validator: use `import type`, or move the constant to rules.ts of its group',
    code,
  );
const withoutSchemas = fence(
  ['calls.ts', 'site-config.ts', '*/rules.ts'].map((end) => `packages/contract/src/${end}`),
  [deny('.', 'the web client bundles this file: import nothing but types', code)],
);

const notShipped = deny(
  '(^|/)workshop/|^@unitcell/workshop',
  'the workshop is not shipped: move what both need into a package',
);
const testTools = deny('^@unitcell/tools', 'only tests may use the tools of development');
const siblingFeature = (depth, remedy) =>
  deny(`${out(depth)}[^.]`, `a feature may not import another feature: ${remedy}`);

// ── packages ──

function packageFences(name) {
  const folder = `packages/${name}/src`;
  const allowed = PACKAGE_IMPORTS[name];
  const may = allowed.length > 0 ? `only ${allowed.join(', ')}` : 'no package of ours';
  return DEPTHS.flatMap((depth) => {
    const leaves = deny(
      `${out(depth)}\\.\\./`,
      'leave a package only through another package’s name (@unitcell/…), never by a path',
    );
    const pure = [
      leaves,
      name === 'client'
        ? noSchemas('@unitcell/**')
        : deny(
            ofOurs(name, ...allowed),
            `${name} may import ${may}: move the shared part down into a package both may import, or pass it as an argument`,
          ),
    ];
    const node = deny(
      NODE,
      'science and contract run anywhere: take the text or data as an argument and let the app read it',
    );
    return [
      fence([at(folder, depth)], [...pure, node]),
      fence([at(folder, depth, '*-in-node.ts')], pure),
      fence([at(folder, depth, `*.${TESTS}`), `${folder}/${'*/'.repeat(depth)}testing/*.ts`], [leaves]),
    ];
  });
}

const purity = {
  files: ['packages/*/src/**'],
  // The API client makes requests and waits for their results.
  excludeFiles: [...TEST_FILES, 'tools/**', 'packages/client/**'],
  rules: {
    'no-restricted-globals': [
      'error',
      { name: 'Date', message: 'packages are pure: take the time as an argument' },
      { name: 'performance', message: 'packages are pure: take the time as an argument' },
      { name: 'process', message: 'packages are pure: take what is needed as an argument' },
      {
        name: 'console',
        message: 'packages are pure: return the information, or throw; the caller decides what to print',
      },
      { name: 'fetch', message: 'packages are pure: take the data as an argument' },
    ],
    'no-restricted-properties': [
      'error',
      {
        object: 'Math',
        property: 'random',
        message: 'packages are pure: take a seeded random source from @unitcell/numerics as an argument',
      },
    ],
  },
};

/** Waiting times of tests are set once, in vitest.config.ts. */
const timeouts = {
  files: TEST_FILES,
  rules: {
    'no-restricted-properties': [
      'error',
      ...['waitFor', 'waitUntil'].map((property) => ({
        object: 'vi',
        property,
        message: 'gives up after a second: expect.poll waits as long as every test does',
      })),
    ],
  },
};

// ── api ──

const API = 'apps/api/src';
/** The only feature that imports other features; no feature imports it. */
const OPERATE = `${API}/features/operate`;
/** For each folder of the api, the folders above it, which it must not import. */
const API_ROOMS = {
  catalogue: 'features|http',
  domain: 'features|catalogue|http',
  infra: 'features|catalogue|domain|http',
  http: 'features|catalogue|domain',
};
const noWeb = deny('(^|/)web/src/', 'the api never imports the web client');

/**
 * Restrictions by kind of file, in every folder of the API.
 * @type {readonly (readonly [end: string, patterns: readonly object[]])[]}
 */
const API_KINDS = [
  ['*.ts', []],
  [
    '*.repository.ts',
    [
      deny(
        ofOurs('contract', 'material'),
        'a repository is only SQL: call science in the service or in a mapper',
        code,
      ),
    ],
  ],
  [
    '*.routes.ts',
    [
      deny(
        ofOurs('contract'),
        'a route only connects contract and service: call science in the service',
        code,
      ),
      deny(
        '^(pg$|@prisma/)|/generated/|\\.repository\\.ts$',
        'a route only connects contract and service: reach the database through the service',
        code,
      ),
    ],
  ],
  [
    '*.service.ts',
    [deny('^(pg$|@prisma/client)', 'only repositories speak SQL: add a function to the repository', code)],
  ],
];

const apiFences = API_KINDS.flatMap(([end, kind]) => [
  fence([`${API}/**/${end}`], [noWeb, notShipped, testTools, ...kind], TEST_FILES),
  ...DEPTHS.flatMap((depth) => [
    fence(
      [at(`${API}/features/*`, depth, end)],
      [
        noWeb,
        notShipped,
        testTools,
        siblingFeature(
          depth,
          'move the shared part into a package or into domain/, or join them in the catalogue',
        ),
        ...kind,
      ],
      TEST_FILES,
    ),
    fence([at(OPERATE, depth, end)], [noWeb, notShipped, testTools, ...kind], TEST_FILES),
    ...Object.entries(API_ROOMS).map(([room, above]) =>
      fence(
        [at(`${API}/${room}`, depth, end)],
        [
          noWeb,
          notShipped,
          testTools,
          deny(
            `${out(depth)}(${above})/`,
            `${room} lies below ${above.replaceAll('|', ', ')} (features → http, catalogue → domain → infra): move the shared part down, or hand it in from above`,
          ),
          ...kind,
        ],
        TEST_FILES,
      ),
    ),
  ]),
]);

/** Statements go through Kysely or the functions of infra/sql.ts. */
const assertedRows = {
  files: [`${API}/**/*.ts`],
  excludeFiles: [...TEST_FILES, `${API}/infra/sql.ts`],
  rules: { 'unitcell/asserted-rows': 'error' },
};

// ── web ──

const WEB = 'apps/web/src';
const webEverywhere = [
  notShipped,
  deny('(^@unitcell/api)|(^|/)api/src/', 'the web client knows the api only through @unitcell/contract'),
];
const inBrowser = [
  deny(NODE, 'this runs in a browser'),
  testTools,
  noSchemas('@unitcell/contract', '@unitcell/contract/**'),
];
/** One rule for the sources, which run in a browser, and one for their tests, which do not. */
const webFence = (place, patterns) => [
  fence([place('*.{ts,tsx}')], [...webEverywhere, ...inBrowser, ...patterns], ['**/testing/**']),
  fence([place(`*.${TESTS}`)], [...webEverywhere, ...patterns]),
];

const webFences = [
  fence(['apps/web/e2e/**'], webEverywhere),
  ...webFence((end) => `${WEB}/**/${end}`, []),
  ...DEPTHS.flatMap((depth) => [
    ...webFence(
      (end) => at(`${WEB}/features/*`, depth, end),
      [
        siblingFeature(
          depth,
          'let a page in app/ join them, or move the shared part to components/, viz/ or lib/',
        ),
        deny(
          `${out(depth)}\\.\\./app/`,
          'features are below app/: move the shared part to components/ or lib/',
        ),
      ],
    ),
    ...['viz', 'components', 'lib'].flatMap((room) =>
      webFence(
        (end) => at(`${WEB}/${room}`, depth, end),
        [
          deny(
            `${out(depth)}(features|app)/`,
            'viz, components and lib are below the features: pass what is needed as props',
          ),
        ],
      ),
    ),
  ]),
];

export default {
  plugins: ['import'],
  jsPlugins: ['./tools/asserted-rows.mjs'],
  categories: { correctness: 'off' },
  ignorePatterns: ['**/generated/**', '**/dist/**', '**/.types/**', '**/data/**'],
  overrides: [
    ...Object.keys(PACKAGE_IMPORTS).flatMap(packageFences),
    withoutSchemas,
    purity,
    timeouts,
    ...apiFences,
    assertedRows,
    ...webFences,
  ],
};
