/** Damage to valid texts, JSON values and bytes, as arbitraries of fast-check, which shrink a failing input. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';

/** A relative position in a value whose length is not known yet. */
const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const at = (share: number, length: number): number => Math.floor(share * length);
/** Weighted choice: `mostly(3, a, b)` is `a` in three of four cases, otherwise `b`. */
export const mostly = <A, B>(
  times: number,
  usual: fc.Arbitrary<A>,
  other: fc.Arbitrary<B>,
): fc.Arbitrary<A | B> => fc.oneof({ weight: times, arbitrary: usual }, { weight: 1, arbitrary: other });

/**
 * Unusual numbers, text fragments with a special meaning (such as brackets and line ends), and caller
 * addresses as proxies send them.
 */
export const FRAGMENTS = JSON.parse(
  readFileSync(new URL('./fixtures/splinters.json', import.meta.url), 'utf8'),
) as {
  readonly numbers: readonly number[];
  readonly splinters: readonly string[];
  readonly callers: readonly string[];
};

export const anyNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(...FRAGMENTS.numbers),
  fc.double({ min: -12, max: 12, noNaN: true }).map((power) => 10 ** power),
  fc.nat(9999),
  fc.double({ min: -10, max: 10, noNaN: true }),
);
const factor = fc.constantFrom(-1, 0, 0.001, 0.5, 1.001, 10, 1000);
const splinter = mostly(
  6,
  fc.constantFrom(...FRAGMENTS.splinters),
  fc.nat(255).map((code) => String.fromCharCode(code)),
);
const stretch = mostly(4, fc.nat(7), fc.nat(200));

const NUMBER = /[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
type TextInjury = (text: string) => string;

const changedNumber: fc.Arbitrary<TextInjury> = fc
  .tuple(
    place,
    fc.oneof(
      anyNumber.map(String),
      anyNumber.map((x) => x.toExponential(3)),
      factor,
    ),
  )
  .map(([where, put]) => (text) => {
    const found = [...text.matchAll(NUMBER)];
    const one = found[at(where, found.length)];
    if (!one) return text;
    const written = typeof put === 'number' ? String(Number(one[0]) * put) : put;
    return text.slice(0, one.index) + written + text.slice(one.index + one[0].length);
  });
const splice: fc.Arbitrary<TextInjury> = fc
  .tuple(place, mostly(1, stretch, fc.constant(0)), mostly(2, splinter, fc.constant('')))
  .map(([where, length, put]) => (text) => {
    const from = at(where, text.length + 1);
    return text.slice(0, from) + put + text.slice(from + length);
  });
const repeated: fc.Arbitrary<TextInjury> = fc
  .tuple(place, stretch, place, fc.integer({ min: 1, max: 4 }))
  .map(([where, length, to, times]) => (text) => {
    const [from, put] = [at(where, text.length + 1), at(to, text.length + 1)];
    return text.slice(0, put) + text.slice(from, from + length).repeat(times) + text.slice(put);
  });
const movedLine: fc.Arbitrary<TextInjury> = fc
  .tuple(place, fc.boolean(), fc.option(place))
  .map(([where, isTaken, to]) => (text) => {
    const lines = text.split('\n');
    const from = at(where, lines.length);
    const line = lines[from] ?? '';
    if (isTaken) lines.splice(from, 1);
    if (to !== null) lines.splice(at(to, lines.length + 1), 0, line);
    return lines.join('\n');
  });
const textInjury = fc.oneof(
  { weight: 9, arbitrary: changedNumber },
  { weight: 6, arbitrary: splice },
  { weight: 2, arbitrary: repeated },
  { weight: 3, arbitrary: movedLine },
);

const injured = <T>(sources: fc.Arbitrary<T>, injury: fc.Arbitrary<(value: T) => T>): fc.Arbitrary<T> =>
  fc
    .tuple(sources, fc.array(injury, { minLength: 1, maxLength: 5 }))
    .map(([source, injuries]) => injuries.reduce((value, injure) => injure(value), source));

/** One of the texts with one to five injuries, at most `limit` characters. */
export const damagedText = (sources: readonly string[], limit = 10_000): fc.Arbitrary<string> =>
  injured(fc.constantFrom(...sources), textInjury).map((text) => text.slice(0, limit));

const change = fc.record({
  path: fc.array(place, { minLength: 12, maxLength: 12 }),
  /** Level of the change; at a level above the leaves, a whole part is removed, duplicated or renamed. */
  depth: mostly(5, fc.constant(12), fc.nat(5)),
  kind: fc.constantFrom('drop', 'double', 'rename', 'other'),
  number: anyNumber,
  factor: fc.option(factor),
  injure: textInjury,
  name: splinter,
  other: fc.oneof(
    fc.constantFrom('', '0', '\u0000', 'Fe', [[]], { length: 3 }),
    fc.jsonValue({ maxDepth: 1 }),
  ),
});
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

function changed(value: unknown, step: Change, level = 0): unknown {
  const isLast = level === step.depth;
  const share = step.path[level] ?? 0;
  if (Array.isArray(value) && value.length > 0) {
    const copy: unknown[] = [...value];
    const index = at(share, copy.length);
    if (isLast && step.kind === 'drop') copy.splice(index, 1);
    else if (isLast && step.kind === 'double') copy.splice(index, 0, copy[index]);
    else copy[index] = isLast ? step.other : changed(copy[index], step, level + 1);
    return copy;
  }
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const key = keys[at(share, keys.length)];
  if (key !== undefined) {
    const { [key]: inner, ...others } = value as Record<string, unknown>;
    if (isLast && step.kind === 'drop') return others;
    if (isLast && step.kind === 'rename') return { ...others, [step.name]: inner };
    return { ...(value as object), [key]: isLast ? step.other : changed(inner, step, level + 1) };
  }
  if (isLast) return step.other;
  if (typeof value === 'number') return step.factor === null ? step.number : value * step.factor;
  return typeof value === 'string' ? step.injure(value).slice(0, 2000) : step.other;
}

/** One of the JSON values with one to five injuries, as received over HTTP: what JSON cannot represent is lost. */
export const damagedJson = (sources: readonly unknown[]): fc.Arbitrary<unknown> =>
  injured(
    fc.constantFrom(...sources),
    change.map((step) => (value: unknown) => changed(value, step)),
  ).map((value) => JSON.parse(JSON.stringify(value)) as unknown);

/** Bytes with one to five injuries, damaged as text in Latin 1; sources and result are base64. */
export const damagedBytes = (sources: readonly string[]): fc.Arbitrary<string> =>
  damagedText(
    sources.map((source) => Buffer.from(source, 'base64').toString('latin1')),
    Number.POSITIVE_INFINITY,
  ).map((text) => Buffer.from(text, 'latin1').toString('base64'));
