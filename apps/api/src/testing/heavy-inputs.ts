/**
 * Arbitraries of fast-check for inputs that may take much time. Grammars make the texts: a valid text, surrounded by
 * a few characters any number of times, up to the length limit. Bodies follow the schemas of the contract.
 */
import { type Structure, supercell, toPymatgenDict, writeCif, writePoscar } from '@unitcell/crystal';
import { parseFilter } from '@unitcell/filter';
import { FIELD_NAMES } from '@unitcell/material';
import fc from 'fast-check';
import type { z } from 'zod';
import { ESPRESSO, OUTCAR, VASPRUN } from '../../../../packages/calculators/src/testing/finished-runs.ts';
import { rutile } from '../../../../packages/crystal/src/testing/rutile.ts';
import {
  asc,
  brml,
  cif,
  gsas,
  ras,
  udf,
  uxd,
  xrdml,
} from '../../../../packages/diffraction/src/testing/instrument-files.ts';
import {
  smallBands,
  smallMesh,
  springDdb,
  springFc,
} from '../../../../packages/potential/src/testing/small-phonon-files.ts';
import {
  springBorn,
  springForceConstants,
  springForceSets,
  springYaml,
} from '../../../../packages/potential/src/testing/spring-crystal.ts';

// ── Texts ──

/** A grammar: valid texts; texts that may surround one, as `before…after`; characters inserted anywhere. */
const grammar = (sound: readonly string[], wraps: string, tokens: string) => ({
  sound,
  wraps: wraps.split(' | ').map((wrap) => wrap.split('…')),
  tokens: Array.from(tokens),
});
type Grammar = ReturnType<typeof grammar>;

const pattern = Array.from({ length: 400 }, (_, i) => `${(10 + i / 5).toFixed(2)} ${(i * 37) % 101}\n`);
const line = JSON.stringify({ structure: toPymatgenDict(rutile), formation_energy_per_atom: -3 });
const filters = [
  'elements HAS "O"',
  'band_gap > 1',
  'id CONTAINS "1"',
  'elements HAS ANY "O"',
  'nsites = nelements',

  '[sqrt(band_gap * nsites)] > 5',
  'elements LENGTH >= 2',
  'formula CONTAINS "i"',
  'crystal_system = "cubic"',
];
const filter = grammar(
  filters,
  [
    '(…)',
    'NOT (…)',
    ...filters.flatMap((one) => [`… AND ${one}`, `… OR ${one}`]),
    '…, "O"',
    '…:"O"',
    'a:…',
  ].join(' | '),
  '(),:"\\[]^-+*/ <>=!.1aA',
);
export const GRAMMARS = {
  filter,
  field: grammar(
    [...FIELD_NAMES, ...FIELD_NAMES.map((name) => `-${name}`), '[sqrt(band_gap)]'],
    '[…] | [(…)] | sqrt(… | …) | … + band_gap | -… | max(nsites,… | …^2',
    '(),[]^-+*/ .1a',
  ),
  elements: grammar(
    'Li-Fe-P-O/Li-O-*/Ca(OH)2/Li Fe P O/O/Li2O Fe2O3/LiFePO4/CuSO4·5H2O/Fe2O3:-2.1/*'.split('/'),
    '(…)2 | […] | …-Li | … O | …O2 | …·H2O | …0.5 | …-* | {…}',
    '()[]{}.·*-~! ,，;₂:19eLi',
  ),
  crystal: grammar(
    [writeCif(rutile), writePoscar(rutile)],
    "…\n | …O2 O 0.3 0.3 0\n | data_a\n… | loop_\n_x\n… | …\n;\n | …'x,y,z'\n | save_a\n… | #…",
    ';\'"#$?{[<>-\n 0.1_',
  ),
  pattern: grammar(
    [
      pattern.join(''),
      xrdml(),
      ras('TwoThetaTheta'),
      uxd(),
      asc(),
      udf(),
      cif(),
      gsas.std,
      gsas.esd,
      gsas.fxye,
      ...Array.from(brml().values(), (bytes) => Buffer.from(bytes).toString()),
    ],
    '…99 2\n | …\n | #\n… | <a>…</a> | …1e9, | …</scan><scan>',
    '#;,\t"<1e -*_=/\n',
  ),
  markdown: grammar(
    ['# Terms\n\n<!-- operator: x -->\n\n| a | b |\n|---|---|\n| 1 | 2 |\n', 'a'],
    '*a… | _…_ | >… | […](a) | …a. | - … | **…** | ~~…~~ | <a>…</a> | <!-- operator: … | [a]: b\n… | ![… | w@a.…',
    '*_>`[]()<!|#&~@\\ \n.-+1:',
  ),
  run: grammar(
    [VASPRUN, OUTCAR, ESPRESSO, line],
    '…\n | […] | <set>\n…</set>\n | {"a":…} | …<v>1 2 3</v>',
    '<>{}[]",:\n -1e',
  ),
};
/**
 * The files of phonon calculations by name. A parser gets one changed file together with the other files of
 * the same folder.
 */
export const PHONON_FILES: Readonly<Record<string, string>> = {
  'phonopy.yaml': springYaml(),
  FORCE_SETS: springForceSets(),
  FORCE_CONSTANTS: springForceConstants(),
  BORN: springBorn(),
  'band.yaml': smallBands(),
  'mesh.yaml': smallMesh(),
  'a.fc': springFc(),
  a_DDB: springDdb(),
};
export const phononGrammar = (text: string): Grammar =>
  grammar([text], '…\n | [… | {…} | - a:\n… | …  0.0 0.0 0.0\n | …  1 1', '-[]{}:,#"\' \n0.1eD');
const KINDS: readonly (readonly [RegExp, keyof typeof GRAMMARS])[] = [
  [/filter/, 'filter'],
  [/sort|field|facet|calculated|^[xy]$|color/, 'field'],
  [/structure|cif/, 'crystal'],
  [/xrd-file/, 'pattern'],
  [/markdown/, 'markdown'],
];
export const grammarFor = (name: string) =>
  GRAMMARS[KINDS.find(([words]) => words.test(name))?.[1] ?? 'elements'];

/** Uniformly distributed integers; by default fast-check prefers numbers near zero. */
export const upTo = (max: number) => fc.noBias(fc.integer({ min: 0, max }));
/** Length of a text as an exponent of its limit: 1 for the whole limit, or less. */
const share = fc.oneof(
  fc.constant(1),
  upTo(1000).map((n) => n / 1000),
);
const EXTREMES = [0, 1e-9, 0.001, 0.3, 1.001, 17, 179.999, 1e4, 1e9, -1];

/** Rutile in a larger, skewed cell. */
const crystal = fc.tuple(upTo(3), upTo(3), upTo(3), upTo(40)).map(([i, j, k, skew]): Structure => {
  const { latticeVectors, sites } = supercell(rutile, [i + 1, j + 1, k + 1]);
  const [a, [x, y, z], c] = latticeVectors;
  return { latticeVectors: [a, [x + (skew * a[0]) / 3, y, z], c], sites };
});

export function textOf({ sound, wraps, tokens }: Grammar, limit: number): fc.Arbitrary<string> {
  const token = fc
    .array(fc.constantFrom(...tokens), { minLength: 1, maxLength: 3 })
    .map((some) => some.join(''));
  const wrap = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...wraps) },
    fc.tuple(token, token),
    token.map((it) => [it]),
  );
  const crystals = fc.oneof(
    crystal.map(writeCif),
    crystal.map((one) => writePoscar(one)),
  );
  const base = fc.oneof(
    fc.constantFrom(...sound),
    sound[0] === GRAMMARS.crystal.sound[0] ? crystals : fc.constantFrom(...sound),
  );
  const injury = fc.array(fc.tuple(share, fc.constantFrom(...EXTREMES)), { maxLength: 2 });
  const injuries = fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, injury);
  /** A part of the text, such as a number, a line or a block, many times. */
  const repeat = fc.option(fc.tuple(upTo(1000), fc.oneof(upTo(8), upTo(400)), share), { freq: 2 });
  return fc
    .tuple(base, injuries, fc.array(fc.tuple(wrap, share), { maxLength: 3 }), repeat)
    .map(([valid, injured, around, repeated]) => {
      const [place = 0, length = 0, most = 0] = repeated ?? [];
      const from = Math.floor((place * valid.length) / 1000);
      const part = valid.slice(from, from + length);
      const room = Math.max(0, limit - valid.length) / Math.max(1, part.length);
      const text = valid.slice(0, from) + part.repeat(Math.floor(most * room)) + valid.slice(from);
      const damaged = injured.reduce((before, [where, put]) => {
        const numbers = [...before.matchAll(/-?\d+(?:\.\d+)?/g)];
        const one = numbers[Math.floor(where * (numbers.length - 1))];
        return one ? before.slice(0, one.index) + put + before.slice(one.index + one[0].length) : before;
      }, text);
      return around.reduce((inner, [[open = '', close = ''], power]) => {
        const times = Math.floor(Math.max(1, (limit - inner.length) / (open.length + close.length)) ** power);
        return open.repeat(times) + inner + close.repeat(times);
      }, damaged);
    });
}

// ── Bodies, from the schemas of the contract ──

export type Schema = z.core.JSONSchema.BaseSchema;

const measured = fc.tuple(share, share, upTo(30)).map(([power, range, period]) => {
  const count = Math.round(20_000 ** power);
  const x = Array.from({ length: count }, (_, i) => Number((5 + (i * range * 170) / count).toFixed(5)));
  return { x, y: x.map((_, i) => ((i * 7919) % 101) + (period > 0 && i % period === 0 ? 1e4 : 0)) };
});
const treeOf = (text: string): unknown => {
  try {
    return parseFilter(text).tree;
  } catch {
    return {};
  }
};

export function valueOf(given: Schema | boolean, name: string, limit: number): fc.Arbitrary<unknown> {
  const schema: Schema = typeof given === 'boolean' ? {} : given;
  const {
    type,
    anyOf,
    items,
    prefixItems,
    properties = {},
    minimum = -1e9,
    maximum = 1e9,
    maxLength,
    maxItems,
  } = schema;
  const fields = Object.entries(properties).map(([key, one]) =>
    valueOf(one, key, limit).map((value) => ({ [key]: value })),
  );
  // Names must be in a list of the site; all others are refused.
  if (/^(functional|scale)$/.test(name)) return fc.constant('PBE (MP 2018)');
  if (name === 'xrd_data') return measured;
  if (name === 'structure' && type === 'object') return crystal.map(toPymatgenDict);
  if (name === 'body') return textOf(GRAMMARS.markdown, 200_000).map((markdown) => ({ markdown }));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (anyOf) return fc.oneof(...anyOf.map((one) => valueOf(one, name, limit)));
  if (prefixItems) return fc.tuple(...prefixItems.map((one) => valueOf(one, name, limit)));
  if (fields.length > 0)
    return fc
      .array(fc.oneof(...fields), { minLength: 1, maxLength: 2 })
      .map((some) => Object.assign({}, ...some) as unknown);
  switch (type) {
    case 'string':
      // Patterns are also compared with texts that are longer than allowed.
      return fc.oneof(
        { weight: 4, arbitrary: textOf(grammarFor(name), Math.min(maxLength ?? limit, limit)) },
        fc
          .tuple(
            fc.constantFrom('', 'a@', '1'),
            fc.constantFrom(...Array.from(' 1.a-@')),
            fc.constantFrom('x', '@'),
          )
          .map(([start, one, end]) => start + one.repeat(limit) + end),
      );
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc
        .oneof(fc.constantFrom(minimum, maximum), fc.constantFrom(...EXTREMES), upTo(1690))
        .map((x) => (type === 'integer' ? Math.round(x) : x));
    case 'array': {
      const sizes = { minLength: 1, maxLength: 60, size: 'max' } as const;
      const sound = fc.constantFrom<unknown>(...grammarFor(name).sound);
      const item = typeof items === 'object' && !Array.isArray(items) ? items : {};
      const value = valueOf(item, name, 1000);
      const isText = item.type === 'string';
      const some = fc.oneof(fc.array(isText ? sound : value, sizes), fc.array(value, sizes));
      return fc.tuple(some, share).map(([values, power]) => {
        const most = Math.min(maxItems ?? 1e5, (limit * values.length) / JSON.stringify(values).length);
        return Array.from({ length: Math.max(1, most ** power) }, (_, i) => values[i % values.length]);
      });
    }
    case 'object':
      return textOf(filter, 1000).map(treeOf);
    default:
      return fc.constant(null);
  }
}
