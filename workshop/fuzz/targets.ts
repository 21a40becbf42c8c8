/** What is fed with damaged inputs: each target makes an input and follows it through everything the product does with it. */
import {
  bonds,
  coordinationPolyhedra,
  fromPymatgenDict,
  parseFormula,
  type Structure,
} from '@unitcell/crystal';
import {
  checkFilter,
  materialFilterFields,
  parseFilter,
  printFilter,
  readTree,
  sqlOfFilter,
} from '@unitcell/filter';
import type { RandomSource } from '@unitcell/numerics';
import { brillouinZone, kPath } from '@unitcell/symmetry';
import { draftFromImportLine } from '../../apps/api/src/catalogue/import/draft/draft-from-import-line.ts';
import { standardise } from '../../apps/api/src/catalogue/standardise.ts';
import { parseElementQuery } from '../../apps/api/src/domain/query/element-query.ts';
import { boundedText, canonicalFormula } from '../../apps/api/src/domain/query/search-text.ts';
import { checkStructure, readUpload } from '../../apps/api/src/features/run4u/read-upload.ts';
import {
  assertPattern,
  readElementFilter,
  readRadiation,
} from '../../apps/api/src/features/xrd/read-request.ts';
import { prepareMatch } from '../../apps/api/src/features/xrd/match/search-part.ts';
import { receivePattern, splitBackground } from '../../apps/api/src/features/xrd/measured-pattern.ts';
import { IMPORT_TARGETS } from './import-targets.ts';
import { anyNumber, mutateJson, mutateText, oneOf } from './mutate.ts';
import { OPTIMADE_TARGETS } from './optimade-targets.ts';
import { RUN_TARGETS } from './run-targets.ts';
import {
  CIFS,
  ELEMENT_QUERIES,
  FILTERS,
  FORMULAS,
  IMPORT_LINES,
  PATTERNS,
  POSCARS,
  RADIATIONS,
  SCREEN_FILTERS,
  STRUCTURE_JSONS,
} from './seeds.ts';
import { answerOf, type Outcome, overTheWire, settled, target, type Target } from './target.ts';
import { VISITOR_TARGETS } from './visitor-targets.ts';

/** What pages draw of a structure: bonds, polyhedra, Brillouin zone and path. */
function draw(structure: Structure): void {
  bonds(structure);
  coordinationPolyhedra(structure);
  settled(() => brillouinZone(kPath(structure).reciprocalLattice));
}

function followUpload(text: string, name: string): Outcome {
  const read = answerOf(() => readUpload({ text, name }));
  if (read === null) return 'refused';
  if (settled(() => checkStructure(read.shown.structure)) === 'refused')
    throw new Error('accepted as a file, then refused as JSON');
  draw(fromPymatgenDict(read.shown.structure));
  return 'accepted';
}

/** A tenth of the cells are skewed on purpose: whole multiples of one row added to another. */
function skewed(value: unknown, random: RandomSource): unknown {
  if (random() > 0.1 || typeof value !== 'object' || value === null) return value;
  const { lattice, ...others } = value as { lattice?: { matrix?: unknown } };
  const rows = lattice?.matrix;
  if (!Array.isArray(rows) || rows.length < 3 || !rows.every(Array.isArray)) return value;
  const [from, to] = oneOf(random, [
    [0, 1],
    [1, 2],
    [2, 0],
  ] as const);
  const times = Math.round(10 ** (4 * random()));
  const matrix: unknown[] = [...rows];
  matrix[to] = rows[to].map(
    (entry: unknown, axis: number) => Number(entry) + times * Number(rows[from][axis]),
  );
  return { lattice: { matrix }, ...others };
}

/** A formula of random symbols, amounts and brackets. */
function randomFormula(random: RandomSource): string {
  const symbols = ['Li', 'O', 'Fe', 'P', 'H', 'Og', 'U', 'Xx', 'N', 'Cl'];
  const amount = (): string =>
    random() < 0.4
      ? ''
      : random() < 0.6
        ? String(1 + Math.floor(12 * random()))
        : String(Math.abs(anyNumber(random)));
  let text = '';
  for (let count = 1 + Math.floor(6 * random()); count > 0; count--) {
    const group =
      oneOf(random, symbols) + amount() + (random() < 0.4 ? oneOf(random, symbols) + amount() : '');
    text += random() < 0.2 ? `(${group})${amount()}` : group;
  }
  return text;
}

const READERS: Readonly<Record<string, Target>> = {
  ...OPTIMADE_TARGETS,
  cif: target(
    (random) => mutateText(oneOf(random, CIFS), random),
    (text) => followUpload(text, 'fuzz.cif'),
  ),
  poscar: target(
    (random) => mutateText(oneOf(random, POSCARS), random),
    (text) => followUpload(text, 'POSCAR'),
  ),
  'measured-pattern': target(
    (random) => mutateText(oneOf(random, PATTERNS), random, 40_000),
    (text) =>
      settled(() => {
        const read = receivePattern(new TextEncoder().encode(text));
        assertPattern(read);
        splitBackground(read);
        for (const hasBackground of [true, false])
          prepareMatch({ ...read, hasBackground, wavelength: 1.5406 });
      }),
  ),
  'import-line': target(
    (random) => overTheWire(mutateJson(oneOf(random, IMPORT_LINES), random)),
    (line) => settled(() => standardise(draftFromImportLine(line))),
  ),
  'structure-json': target(
    (random) => overTheWire(skewed(mutateJson(oneOf(random, STRUCTURE_JSONS), random), random)),
    (json) => {
      if (settled(() => checkStructure(json)) === 'refused') return 'refused';
      draw(fromPymatgenDict(json));
      return 'accepted';
    },
  ),
  formula: target(
    (random) => (random() < 0.5 ? randomFormula(random) : mutateText(oneOf(random, FORMULAS), random, 3000)),
    (text) =>
      settled(() => {
        const { reduced, shown } = canonicalFormula(boundedText(text));
        for (const written of [reduced, shown])
          if (settled(() => parseFormula(written)) === 'refused')
            throw new Error(`${text} is written as ${written}, which cannot be read`);
      }),
  ),
  'element-query': target(
    (random) => mutateText(oneOf(random, ELEMENT_QUERIES), random, 3000),
    (text) => settled(() => parseElementQuery(boundedText(text))),
  ),
  filter: target(
    (random) => mutateText(oneOf(random, FILTERS), random, 3000),
    (text) => settled(() => readElementFilter(text)),
  ),
  'screen-filter': target(
    (random) =>
      random() < 0.7
        ? mutateText(oneOf(random, SCREEN_FILTERS), random, 3000)
        : overTheWire(mutateJson(parseFilter(oneOf(random, SCREEN_FILTERS)).tree, random)),
    (filter) =>
      settled(() => {
        const parsed = typeof filter === 'string' ? parseFilter(filter) : readTree(filter);
        const printed = printFilter(parsed.tree);
        if (settled(() => parseFilter(printed)) === 'refused' && printed.length <= 10_000)
          throw new Error(`it is printed as ${printed}, which cannot be read`);
        checkFilter(parsed, materialFilterFields());
        sqlOfFilter(parsed.tree, materialFilterFields());
      }),
  ),
  radiation: target(
    (random) => mutateText(oneOf(random, RADIATIONS), random, 200),
    (text) => settled(() => readRadiation(text)),
  ),
  ...IMPORT_TARGETS,
  ...RUN_TARGETS,
  ...VISITOR_TARGETS,
};

interface Mixed {
  readonly reader: string;
  readonly input: unknown;
}

/** Those that read a file. */
export const FILE_TARGETS = [
  'cif',
  'poscar',
  'measured-pattern',
  'import-line',
  'picture',
  ...Object.keys(IMPORT_TARGETS),
  ...Object.keys(RUN_TARGETS),
];
export const PARSER_TARGETS = Object.keys(READERS);

/** Every reader by its name, and `mixed`, which takes one of them for each input: one thread for all. */
export const TARGETS: Readonly<Record<string, Target>> = {
  ...READERS,
  mixed: target<Mixed>(
    (random) => {
      const [reader, { make }] = oneOf(random, Object.entries(READERS));
      return { reader, input: make(random) };
    },
    ({ reader, input }) => READERS[reader].follow(input),
  ),
};
