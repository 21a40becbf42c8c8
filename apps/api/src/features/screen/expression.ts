/**
 * Calculated columns of screening: `[bulk_modulus / density]`. An expression is parsed and checked once
 * (names, functions, units) and becomes a list of steps, which are applied to whole columns.
 */
import {
  errorAt,
  type FilterError,
  type FilterErrorCode,
  type FilterFields,
  nearestOf,
} from '@unitcell/filter';
import {
  create,
  type FunctionNode,
  type MathNode,
  type OperatorNode,
  type ParenthesisNode,
  parseDependencies,
  type SymbolNode,
  type ConstantNode,
} from 'mathjs/number';

const { parse } = create({ parseDependencies: parseDependencies! });

const FUNCTIONS = {
  sqrt: Math.sqrt,
  cbrt: Math.cbrt,
  abs: Math.abs,
  exp: Math.exp,
  log: Math.log,
  log10: Math.log10,
  log2: Math.log2,
  min: Math.min,
  max: Math.max,
} as const;
type FunctionName = keyof typeof FUNCTIONS;
const isFunction = (name: string): name is FunctionName => Object.hasOwn(FUNCTIONS, name);

type Sign = '+' | '-' | '*' | '/' | '^';
const isSign = (sign: string): sign is Sign => ['+', '-', '*', '/', '^'].includes(sign);

/**
 * One step of a stack machine on columns: push a number or a column, or replace the topmost values by a
 * result.
 */
type Step =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'column'; readonly name: string }
  | { readonly kind: 'sign'; readonly sign: Sign }
  | { readonly kind: 'function'; readonly name: FunctionName; readonly count: number };

export interface Expression {
  /** Steps in the order of a stack machine. */
  readonly steps: readonly Step[];
  /** Names of the required columns, each once. */
  readonly columns: readonly string[];
  /** `GPa·cm³/g`; empty for a number without a unit. */
  readonly unit: string;
}

// ── Units: products of powers of the fields' unit symbols; nothing is converted ──

type Unit = ReadonlyMap<string, number>;

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const NO_UNIT: Unit = new Map();

/** The powers that are not zero. */
const unitFrom = (powers: Iterable<readonly [string, number]>): Unit =>
  new Map([...powers].filter(([, power]) => Math.abs(power) > 1e-12));

/** `g/cm³` → g to the 1, cm to the −3. */
function readUnit(text: string): Unit {
  const powers = new Map<string, number>();
  for (const [place, part] of text.split('/').entries())
    for (const factor of part.split('·').filter((it) => it !== '')) {
      const [, symbol = factor, digits = ''] = /^(.+?)([⁰¹²³⁴⁵⁶⁷⁸⁹]*)$/.exec(factor) ?? [];
      const power = digits === '' ? 1 : Number(Array.from(digits, (it) => SUPERSCRIPTS.indexOf(it)).join(''));
      powers.set(symbol, (powers.get(symbol) ?? 0) + (place === 0 ? power : -power));
    }
  return unitFrom(powers);
}

function printUnit(unit: Unit): string {
  const product = (sign: 1 | -1): string =>
    [...unit]
      .filter(([, power]) => power * sign > 0)
      .map(([symbol, power]) => {
        const size = Math.abs(power);
        if (size === 1) return symbol;
        if (!Number.isInteger(size)) return `${symbol}^${Number(size.toPrecision(4))}`;
        return symbol + Array.from(String(size), (digit) => SUPERSCRIPTS[Number(digit)]).join('');
      })
      .join('·');
  const [above, below] = [product(1), product(-1)];
  return below === '' ? above : `${above || '1'}/${below}`;
}

const multiplied = (a: Unit, b: Unit, power: number): Unit =>
  unitFrom(
    new Map([...a, ...[...b].map(([symbol, own]) => [symbol, (a.get(symbol) ?? 0) + power * own] as const)]),
  );

const raised = (unit: Unit, power: number): Unit =>
  unitFrom([...unit].map(([symbol, own]) => [symbol, own * power] as const));

// ── Parsing ──

/** Largest length including brackets. This also limits the nesting. */
const MAX_CHARACTERS = 200;

/** The result of parsing a part of an expression. */
interface Part {
  readonly unit: Unit;
  /** The value of the part if it is a constant. */
  readonly constant: number | null;
  /** Position of the first name or number in the part. */
  readonly at: number;
}

class Reader {
  readonly steps: Step[] = [];
  private readonly words: readonly { readonly text: string; readonly at: number }[];
  private next = 0;

  /** @param at position of the opening bracket in `text` */
  constructor(
    private readonly text: string,
    private readonly at: number,
    private readonly inner: string,
    private readonly fields: FilterFields,
  ) {
    // The parser does not keep positions, but it visits names and numbers in their order in the text.
    this.words = [...inner.matchAll(/[A-Za-z_]\w*|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/g)].map((match) => ({
      text: match[0],
      at: at + 1 + match.index,
    }));
  }

  error(
    code: FilterErrorCode,
    at: number,
    what: string,
    parameters: Readonly<Record<string, string | number>> = {},
  ): FilterError {
    return errorAt(this.text, at, code, what, parameters);
  }

  read(): Unit {
    let tree: MathNode;
    try {
      tree = parse(this.inner);
    } catch (error) {
      const character = (error as { char?: number }).char ?? 1;
      const offset = Math.min(Math.max(character - 1, 0), this.inner.length);
      throw this.notAnExpression(this.at + 1 + offset);
    }
    return this.part(tree).unit;
  }

  private notAnExpression(at: number): FilterError {
    return this.error('bad-expression', at, 'this is not an expression of numbers and properties');
  }

  private word(): { readonly text: string; readonly at: number } {
    return this.words[this.next++] ?? { text: '', at: this.at + 1 };
  }

  private part(node: MathNode): Part {
    switch (node.type) {
      case 'ParenthesisNode':
        return this.part((node as ParenthesisNode).content);
      case 'ConstantNode':
        return this.constant((node as ConstantNode).value);
      case 'SymbolNode':
        return this.column((node as SymbolNode).name);
      case 'OperatorNode':
        return this.operator(node as OperatorNode);
      case 'FunctionNode':
        return this.call(node as FunctionNode);
      default:
        throw this.notAnExpression(this.words[this.next]?.at ?? this.at + 1);
    }
  }

  private constant(value: unknown): Part {
    const { at } = this.word();
    if (typeof value !== 'number' || !Number.isFinite(value)) throw this.notAnExpression(at);
    this.steps.push({ kind: 'number', value });
    return { unit: NO_UNIT, constant: value, at };
  }

  private column(name: string): Part {
    const { at } = this.word();
    const field = this.fields.get(name);
    if (!field) {
      const numbers = [...this.fields].filter(([, { type, isList }]) => type === 'number' && !isList);
      const nearest = nearestOf(name, new Map(numbers).keys());
      throw this.error('unknown-property', at, `there is no property ${name}; the nearest is ${nearest}`, {
        name,
        nearest,
      });
    }
    if (field.type !== 'number' || field.isList)
      throw this.error('not-a-number', at, `${name} is not a number`, { name });
    this.steps.push({ kind: 'column', name });
    return { unit: readUnit(field.unit ?? ''), constant: null, at };
  }

  private operator({ op, args }: OperatorNode): Part {
    const [first, second] = args;
    if (!isSign(op) || !first || args.length > 2)
      throw this.notAnExpression(this.words[this.next]?.at ?? this.at + 1);
    if (!second) {
      if (op !== '-' && op !== '+') throw this.notAnExpression(this.at + 1);
      // −x is 0 − x.
      this.steps.push({ kind: 'number', value: 0 });
      const own = this.part(first);
      this.steps.push({ kind: 'sign', sign: op });
      return { ...own, constant: own.constant === null ? null : op === '-' ? -own.constant : own.constant };
    }
    const left = this.part(first);
    const right = this.part(second);
    this.steps.push({ kind: 'sign', sign: op });
    const constant =
      left.constant === null || right.constant === null ? null : calculate(op, left.constant, right.constant);
    return { unit: this.unitOf(op, left, right), constant, at: left.at };
  }

  private unitOf(sign: Sign, left: Part, right: Part): Unit {
    if (sign === '*') return multiplied(left.unit, right.unit, 1);
    if (sign === '/') return multiplied(left.unit, right.unit, -1);
    if (sign === '^') {
      this.assertNoUnit(right);
      if (left.unit.size === 0) return NO_UNIT;
      if (right.constant === null) this.assertNoUnit(left);
      return raised(left.unit, right.constant ?? 1);
    }
    return this.sameUnit(left, right);
  }

  private call({ fn, args }: FunctionNode): Part {
    const { at } = this.word();
    const name = String((fn as { name?: unknown }).name);
    const count = args.length;
    const isPossible = isFunction(name) && (name === 'min' || name === 'max' ? count >= 2 : count === 1);
    if (!isPossible) {
      const known = Object.keys(FUNCTIONS).join(', ');
      throw this.error(
        'no-function',
        at,
        `there is no function ${name} with ${count} arguments; there are ${known}`,
        {
          name,
          count,
          known,
        },
      );
    }
    const [first, ...others] = args.map((arg) => this.part(arg));
    this.steps.push({ kind: 'function', name, count });
    const unit = others.reduce(
      (common, other) => this.sameUnit({ ...first!, unit: common }, other),
      first!.unit,
    );
    // The logarithm of a quantity is the logarithm of its numerical value in the displayed unit.
    const power = { sqrt: 1 / 2, cbrt: 1 / 3, abs: 1, min: 1, max: 1, exp: 0, log: 0, log10: 0, log2: 0 }[
      name
    ];
    if (name === 'exp') this.assertNoUnit(first!);
    return { unit: raised(unit, power), constant: null, at };
  }

  /** The unit of a sum. A plain number takes the unit of the other operand, as in a comparison. */
  private sameUnit(left: Part, right: Part): Unit {
    if (right.constant !== null && right.unit.size === 0) return left.unit;
    if (left.constant !== null && left.unit.size === 0) return right.unit;
    if (multiplied(left.unit, right.unit, -1).size === 0) return left.unit;
    const [a, b] = [printUnit(left.unit) || '1', printUnit(right.unit) || '1'];
    throw this.error('different-units', right.at, `${a} and ${b} are different units`, { left: a, right: b });
  }

  private assertNoUnit(part: Part): void {
    if (part.unit.size === 0) return;
    const unit = printUnit(part.unit);
    throw this.error(
      'unit-not-possible',
      part.at,
      `a number without a unit is needed; here it is in ${unit}`,
      { unit },
    );
  }
}

/**
 * @param text the text that contains the expression at this position, so that errors show the place
 * @param expression the expression with its square brackets
 * @throws FilterError
 */
export function readExpression(
  expression: string,
  fields: FilterFields,
  text = expression,
  at = 0,
): Expression {
  if (expression.length > MAX_CHARACTERS)
    throw errorAt(
      text,
      at,
      'expression-too-long',
      `an expression may have at most ${MAX_CHARACTERS} characters`,
      { limit: MAX_CHARACTERS },
    );
  const reader = new Reader(text, at, expression.slice(1, -1), fields);
  const unit = printUnit(reader.read());
  const { steps } = reader;
  const columns = new Set(steps.flatMap((step) => (step.kind === 'column' ? [step.name] : [])));
  return { steps, columns: [...columns], unit };
}

// ── Evaluation ──

const calculate = (sign: Sign, a: number, b: number): number => {
  switch (sign) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    default:
      // In JavaScript NaN ** 0 is 1.
      return Number.isNaN(a) ? a : a ** b;
  }
};

type Numbers = ArrayLike<number>;

/**
 * The value of the expression for every row.
 * @param columnOf the numbers of a column, NaN where unknown; undefined if all are unknown
 * @returns NaN where an input is unknown or the result is not finite (division by zero, root of a negative
 * number)
 */
export function runExpression(
  { steps }: Pick<Expression, 'steps'>,
  rows: number,
  columnOf: (name: string) => Numbers | undefined,
): Float64Array {
  const stack: (Numbers | number)[] = [];
  for (const step of steps) {
    if (step.kind === 'number') stack.push(step.value);
    else if (step.kind === 'column') stack.push(columnOf(step.name) ?? Number.NaN);
    else if (step.kind === 'sign') {
      const [right, left] = [stack.pop()!, stack.pop()!];
      stack.push(combine(rows, left, right, (a, b) => calculate(step.sign, a, b)));
    } else {
      const call: (...numbers: number[]) => number = FUNCTIONS[step.name];
      const others = stack.splice(stack.length - step.count + 1);
      const first = stack.pop()!;
      stack.push(
        others.length === 0
          ? combine(rows, first, 0, (a) => call(a))
          : others.reduce((all, own) => combine(rows, all, own, call), first),
      );
    }
  }
  const [result = Number.NaN] = stack;
  return Float64Array.from({ length: rows }, (_, row) => {
    const value = typeof result === 'number' ? result : result[row]!;
    return Number.isFinite(value) ? value : Number.NaN;
  });
}

function combine(
  rows: number,
  left: Numbers | number,
  right: Numbers | number,
  of: (a: number, b: number) => number,
): Numbers | number {
  if (typeof left === 'number' && typeof right === 'number') return of(left, right);
  const result = new Float64Array(rows);
  for (let row = 0; row < rows; row++)
    result[row] = of(
      typeof left === 'number' ? left : left[row]!,
      typeof right === 'number' ? right : right[row]!,
    );
  return result;
}
