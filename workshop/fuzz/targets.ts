/** Every parser of the product by its name, and `mixed`, which chooses one for each input. */
import { coordinationPolyhedra, fromPymatgenDict, parseFormula, type Structure } from '@unitcell/crystal';
import {
  checkFilter,
  materialFilterFields,
  parseFilter,
  printFilter,
  readTree,
  sqlOfFilter,
} from '@unitcell/filter';
import { brillouinZone, kPath } from '@unitcell/symmetry';
import fc from 'fast-check';
import { draftFromImportLine } from '../../apps/api/src/catalogue/import/draft/draft-from-import-line.ts';
import { parseElementFilter } from '@unitcell/diffraction';
import { standardise } from '../../apps/api/src/catalogue/standardise.ts';
import {
  boundedText,
  canonicalFormula,
  parseElementQuery,
} from '../../apps/api/src/domain/query/query-text.ts';
import { checkStructure, readUpload } from '../../apps/api/src/features/run4u/run4u.thread.ts';
import { assertPattern, readRadiation } from '../../apps/api/src/features/xrd/patterns.ts';
import { patternIn, prepareMatch, splitBackground } from '../../apps/api/src/features/xrd/xrd.thread.ts';
import { anyNumber, damagedJson, damagedText, mostly } from './damage.ts';
import { answerOf, CORPUS, type Outcome, settled, target, type Target, textTarget } from './target.ts';
import { IMPORT_TARGETS } from './targets/imports.ts';
import { OPTIMADE_TARGETS } from './targets/optimade.ts';
import { RUN_TARGETS } from './targets/runs.ts';
import { VISITOR_TARGETS } from './targets/visitors.ts';

/** Everything that pages draw for a structure: bonds, polyhedra, Brillouin zone and path. */
function draw(structure: Structure): void {
  coordinationPolyhedra(structure);
  settled(() => brillouinZone(kPath(structure).reciprocalLattice));
}

const upload = (sources: readonly string[], name: string): Target =>
  target(damagedText(sources), (text): Outcome => {
    const read = answerOf(() => readUpload({ text, name }));
    if (read === null) return 'refused';
    if (settled(() => checkStructure(read.shown.structure)) === 'refused')
      throw new Error('accepted as a file, then refused as JSON');
    draw(fromPymatgenDict(read.shown.structure));
    return 'accepted';
  });

/** Adds an integer multiple of each cell vector to the next one. */
const skewed = fc
  .tuple(damagedJson(CORPUS.structures), fc.nat(2), fc.integer({ min: 1, max: 10_000 }))
  .map(([value, from, times]) => {
    const { lattice, ...others } = (value ?? {}) as { lattice?: { matrix?: unknown } };
    const rows = lattice?.matrix;
    if (!Array.isArray(rows) || rows.length < 3 || !rows.every(Array.isArray)) return value;
    const matrix = rows.map((row: unknown[], i) =>
      i === (from + 1) % 3 ? row.map((entry, axis) => Number(entry) + times * Number(rows[from][axis])) : row,
    );
    return { ...others, lattice: { matrix } };
  });

const symbol = fc.constantFrom('Li', 'O', 'Fe', 'P', 'H', 'Og', 'U', 'Xx', 'N', 'Cl');
const amount = fc.oneof(
  fc.constant(''),
  fc.integer({ min: 1, max: 12 }).map(String),
  anyNumber.map((x) => `${Math.abs(x)}`),
);
const group = fc.array(
  fc.tuple(symbol, amount).map((one) => one.join('')),
  { minLength: 1, maxLength: 2 },
);
const formula = fc
  .array(
    mostly(
      4,
      group.map((all) => all.join('')),
      fc.tuple(group, amount).map(([all, n]) => `(${all.join('')})${n}`),
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((groups) => groups.join(''));

const READERS: Readonly<Record<string, Target>> = {
  ...OPTIMADE_TARGETS,
  cif: upload(CORPUS.cifs, 'fuzz.cif'),
  poscar: upload(CORPUS.poscars, 'POSCAR'),
  'measured-pattern': textTarget(
    CORPUS.patterns,
    (text) => {
      const read = patternIn(new TextEncoder().encode(text));
      assertPattern(read);
      splitBackground(read);
      for (const hasBackground of [true, false]) prepareMatch({ ...read, hasBackground, wavelength: 1.5406 });
    },
    40_000,
  ),
  'import-line': target(damagedJson(CORPUS.importLines), (line) =>
    settled(() => standardise(draftFromImportLine(line))),
  ),
  'structure-json': target(mostly(9, damagedJson(CORPUS.structures), skewed), (json) => {
    if (settled(() => checkStructure(json)) === 'refused') return 'refused';
    draw(fromPymatgenDict(json));
    return 'accepted';
  }),
  formula: target(mostly(1, formula, damagedText(CORPUS.formulas, 3000)), (text) =>
    settled(() => {
      const { reduced, shown } = canonicalFormula(boundedText(text));
      for (const written of [reduced, shown])
        if (settled(() => parseFormula(written)) === 'refused')
          throw new Error(`${text} is written as ${written}, which cannot be read`);
    }),
  ),
  'element-query': textTarget(CORPUS.elementQueries, (text) => parseElementQuery(boundedText(text))),
  filter: textTarget(CORPUS.filters, parseElementFilter),
  'screen-filter': target(
    mostly(
      2,
      damagedText(CORPUS.screenFilters, 3000),
      damagedJson(CORPUS.screenFilters.map((text) => parseFilter(text).tree)),
    ),
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
  radiation: textTarget(CORPUS.radiations, readRadiation, 200),
  ...IMPORT_TARGETS,
  ...RUN_TARGETS,
  ...VISITOR_TARGETS,
};

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

export const TARGETS: Readonly<Record<string, Target>> = {
  ...READERS,
  mixed: target(
    fc.oneof(
      ...Object.entries(READERS).map(([reader, { inputs }]) => inputs.map((input) => ({ reader, input }))),
    ),
    ({ reader, input }) => READERS[reader].follow(input),
  ),
};
