/** Random filters, for tests that compare two evaluations of a filter. */
import type { FilterField, FilterFields } from '../filter-fields.ts';
import type { Constant, EntryTest, Filter, Operator } from '../tree.ts';

/** Returns numbers in [0, 1). */
type RandomSource = () => number;

const pick = <T>(random: RandomSource, from: readonly T[]): T => from[Math.floor(random() * from.length)]!;

const ORDERED: readonly Operator[] = ['<', '<=', '>', '>=', '=', '!='];

/** Values of the rows by field. Random filters compare with these values, so that they often match. */
export type Values = ReadonlyMap<string, readonly Constant[]>;

export interface RandomFilters {
  readonly fields: FilterFields;
  readonly values: Values;
}

const OTHERS = {
  number: [0, -1.5, 2.25, 1e-7, 1e21],
  text: ['', 'O', '%_\\"', 'Ω 相', 'z'],
  flag: [true, false],
};

function constantOf(
  { values }: RandomFilters,
  name: string,
  field: FilterField,
  random: RandomSource,
): Constant {
  const known = values.get(name) ?? [];
  if (known.length > 0 && (random() < 0.8 || field.options)) return pick(random, known);
  return field.type === 'unknown' ? 1 : pick<Constant>(random, OTHERS[field.type]);
}

const operatorOf = (field: FilterField, random: RandomSource): Operator =>
  field.type === 'flag' ? pick(random, ['=', '!='] as const) : pick(random, ORDERED);

function comparison(from: RandomFilters, random: RandomSource): Filter {
  const names = [...from.fields.keys()];
  const property = pick(random, names);
  const field = from.fields.get(property)!;
  const constant = () => constantOf(from, property, field, random);
  if (random() < 0.1) return { kind: 'known', property, isKnown: random() < 0.5 };
  if (field.isList) {
    if (random() < 0.2)
      return { kind: 'length', property, operator: pick(random, ORDERED), value: Math.floor(5 * random()) };
    const match = pick(random, ['one', 'all', 'any', 'only'] as const);
    const width = random() < 0.2 ? 2 : 1;
    const isPlain = random() < 0.6;
    const test = (): EntryTest => ({
      operator: isPlain ? '=' : operatorOf(field, random),
      value: constant(),
    });
    const tests = Array.from({ length: match === 'one' ? 1 : 1 + Math.floor(3 * random()) }, () =>
      Array.from({ length: width }, test),
    );
    return { kind: 'has', properties: Array.from({ length: width }, () => property), match, tests };
  }
  const others = names.filter((name) => {
    const other = from.fields.get(name)!;
    return !other.isList && other.type === field.type && other.unit === field.unit;
  });
  const to = random() < 0.1 ? { property: pick(random, others) } : { value: constant() };
  if (field.type === 'text' && random() < 0.5) {
    const match = pick(random, ['contains', 'starts', 'ends'] as const);
    if (!('value' in to)) return { kind: 'text', property, match, to };
    const text = String(to.value);
    const from_ = Math.floor(random() * text.length);
    return {
      kind: 'text',
      property,
      match,
      to: { value: random() < 0.5 ? text : text.slice(from_, from_ + 2) },
    };
  }
  return { kind: 'compare', property, operator: operatorOf(field, random), to };
}

/** A tree of up to `depth` levels. */
export function randomFilter(from: RandomFilters, random: RandomSource, depth = 4): Filter {
  const chance = random();
  if (depth === 0 || chance < 0.3) return comparison(from, random);
  if (chance < 0.5) return { kind: 'not', term: randomFilter(from, random, depth - 1) };
  const count = 2 + Math.floor(2 * random());
  return {
    kind: chance < 0.75 ? 'and' : 'or',
    terms: Array.from({ length: count }, () => randomFilter(from, random, depth - 1)),
  };
}
