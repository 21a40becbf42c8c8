/** Validates a filter against the available fields: names, types, units, options. */
import { errorAt, type FilterError, type FilterErrorCode } from './filter-error.ts';
import { type FilterField, type FilterFields, nearestOf } from './filter-fields.ts';
import type { ParsedFilter, Place } from './parse-filter.ts';
import {
  type Comparison,
  type Constant,
  type Filter,
  type Operand,
  type Operator,
  findEmptyRange,
} from './tree.ts';

const TYPE_OF = { string: 'text', number: 'number', boolean: 'flag' } as const;
const typeOf = (value: Constant) => TYPE_OF[typeof value as 'string' | 'number' | 'boolean'];

/** Whether a name is an expression: a number calculated from fields, in square brackets. */
export const isExpression = (name: string): boolean => name.startsWith('[');

/** Returns the field of an expression at a position of a text. @throws FilterError */
export type ExpressionField = (expression: string, text: string, at: number) => FilterField;

class Check {
  constructor(
    private readonly parsed: ParsedFilter,
    private readonly fields: FilterFields,
    private readonly ofExpression: ExpressionField | undefined,
  ) {}

  tree(tree: Filter): void {
    if (tree.kind === 'not') this.tree(tree.term);
    else if (tree.kind === 'and' || tree.kind === 'or') {
      for (const term of tree.terms) this.tree(term);
      if (tree.kind === 'and') this.ranges(tree.terms);
    } else this.comparison(tree);
  }

  private error(
    at: number,
    code: FilterErrorCode,
    what: string,
    parameters: Readonly<Record<string, string | number>>,
  ): FilterError {
    return errorAt(this.parsed.text, at, code, what, parameters);
  }

  private field(name: string, at: number): FilterField {
    const field = this.fields.get(name);
    if (field) return field;
    if (this.ofExpression && isExpression(name)) return this.ofExpression(name, this.parsed.text, at);
    const nearest = nearestOf(name, this.fields.keys());
    throw this.error(
      at,
      'unknown-property',
      `there is no property ${name.slice(0, 60)}; the nearest is ${nearest}`,
      {
        name: name.slice(0, 60),
        nearest,
      },
    );
  }

  private scalar(name: string, at: number): FilterField {
    const field = this.field(name, at);
    if (field.isList)
      throw this.error(
        at,
        'is-list',
        `${name} is a list: ask with HAS, HAS ALL, HAS ANY, HAS ONLY or LENGTH`,
        { name },
      );
    return field;
  }

  private list(name: string, at: number): FilterField {
    const field = this.field(name, at);
    if (!field.isList && field.type !== 'unknown')
      throw this.error(at, 'needs-list', `${name} is no list: ask with <, <=, >, >=, = or !=`, { name });
    return field;
  }

  private value(name: string, field: FilterField, operator: Operator, value: Constant, at: number): void {
    const { type, unit, options } = field;
    if (type === 'unknown') return;
    if (type !== typeOf(value)) {
      const found = String(value).slice(0, 40);
      if (type === 'number')
        throw this.error(
          at,
          'needs-number',
          `${name} is a number${unit ? ` in ${unit}` : ''}: write it without quotes and without a unit`,
          { name, unit: unit ?? '', found },
        );
      if (type === 'text')
        throw this.error(at, 'needs-text', `${name} is a text: write "${found}" in double quotes`, {
          name,
          found,
        });
      throw this.error(at, 'needs-flag', `${name} is either TRUE or FALSE`, { name });
    }
    if (type === 'flag' && operator !== '=' && operator !== '!=')
      throw this.error(at, 'no-order', `${name} is either TRUE or FALSE: compare it with = or !=`, { name });
    if (
      options &&
      typeof value === 'string' &&
      (operator === '=' || operator === '!=') &&
      !options.includes(value)
    ) {
      const nearest = nearestOf(value, options);
      throw this.error(
        at,
        'unknown-option',
        `${name} is never "${value.slice(0, 40)}"; the nearest is "${nearest}"`,
        {
          name,
          value: value.slice(0, 40),
          nearest,
        },
      );
    }
  }

  private operand(name: string, field: FilterField, operator: Operator, to: Operand, at: number): void {
    if ('value' in to) {
      this.value(name, field, operator, to.value, at);
      return;
    }
    const other = this.scalar(to.property, at);
    if (field.type === 'unknown' || other.type === 'unknown') return;
    if (other.type !== field.type || other.unit !== field.unit)
      throw this.error(
        at,
        'different-types',
        `${name} and ${to.property} are not of one kind and cannot be compared`,
        {
          name,
          other: to.property,
        },
      );
    if (field.type === 'flag' && operator !== '=' && operator !== '!=')
      throw this.error(at, 'no-order', `${name} is either TRUE or FALSE: compare it with = or !=`, { name });
  }

  private comparison(tree: Comparison): void {
    const { at, values }: Place = this.parsed.places.get(tree) ?? { at: 0, values: [] };
    const first = values[0] ?? at;
    switch (tree.kind) {
      case 'compare':
        this.operand(tree.property, this.scalar(tree.property, at), tree.operator, tree.to, first);
        return;
      case 'known':
        this.field(tree.property, at);
        return;
      case 'length':
        this.list(tree.property, at);
        return;
      case 'text': {
        const field = this.scalar(tree.property, at);
        if (field.type !== 'text' && field.type !== 'unknown')
          throw this.error(at, 'needs-number', `${tree.property} is no text: compare it with =, < or >`, {
            name: tree.property,
            unit: field.unit ?? '',
            found: '',
          });
        this.operand(tree.property, field, '<', tree.to, first);
        return;
      }
      case 'has': {
        const lists = tree.properties.map((name) => this.list(name, at));
        for (const [row, parts] of tree.tests.entries())
          for (const [column, { operator, value }] of parts.entries())
            this.value(
              tree.properties[column]!,
              lists[column]!,
              operator,
              value,
              values[row * parts.length + column] ?? at,
            );
      }
    }
  }

  /** Refuses a range whose lower limit is above its upper limit, because no value can be in it. */
  private ranges(terms: readonly Filter[]): void {
    const empty = findEmptyRange(terms);
    if (!empty) return;
    const place = this.parsed.places.get(empty.term);
    throw this.error(
      place?.at ?? 0,
      'upside-down',
      `nothing has ${empty.property} of at least ${empty.from} and at most ${empty.to}: exchange the two`,
      { name: empty.property, from: empty.from, to: empty.to },
    );
  }
}

/**
 * @param ofExpression resolves calculated numbers; if absent, an expression is an unknown property
 * @throws FilterError with the position, and the most similar name if a name is wrong
 */
export function checkFilter(
  parsed: ParsedFilter,
  fields: FilterFields,
  ofExpression?: ExpressionField,
): void {
  new Check(parsed, fields, ofExpression).tree(parsed.tree);
}
