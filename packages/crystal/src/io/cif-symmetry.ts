/**
 * The symmetry that a CIF block declares: by its operations, otherwise by its Hall symbol, Hermann-Mauguin symbol or
 * number.
 */
import { type Mat3, multiply3, transpose3 } from '@unitcell/numerics';
import type { Composition } from '../composition.ts';
import { CrystalError } from '../error.ts';
import { operationsFromHallSymbol } from '../hall-symbol.ts';
import { parseFormula } from '../parse-formula.ts';
import {
  findSettingsByNumber,
  findSettingsBySymbol,
  type SpaceGroupSetting,
} from '../space-group-setting.ts';
import {
  formatSymmetryOperation,
  parseSymmetryOperation,
  type SymmetryOperation,
} from '../symmetry-operation.ts';
import { type CifBlock, type CifValue, tableWith } from './cif-blocks.ts';
import { MAX_OPERATIONS } from './limits.ts';
import type { Notify } from './read-structure.ts';
import { refuseAt, shown } from './text.ts';

/**
 * An operation that changes the cell edges by more than this share is refused. Refined cells and rounded angles
 * cause much smaller changes, a cubic operation in a tetragonal cell much larger ones.
 */
export const METRIC_TOLERANCE = 0.02;

const OPERATION_TAGS = [
  '_symmetry_equiv_pos_as_xyz',
  '_space_group_symop_operation_xyz',
  '_symmetry_equiv_pos_xyz',
];
const HALL_TAGS = ['_space_group_name_hall', '_symmetry_space_group_name_hall'];
const SYMBOL_TAGS = [
  '_symmetry_space_group_name_h-m',
  '_space_group_name_h-m_alt',
  '_space_group_name_h-m_full',
  '_space_group_name_h-m_ref',
  '_space_group_name_h-m',
  '_symmetry_space_group_name_h-m_alt',
];
const UNITS_TAG = '_cell_formula_units_z';
const NUMBER_TAGS = ['_space_group_it_number', '_symmetry_int_tables_number'];

export const IDENTITY_OPERATION: SymmetryOperation = {
  rotation: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  translation: [0, 0, 0],
};

const isKnown = (value: CifValue | undefined): value is CifValue =>
  value !== undefined &&
  (value.isQuoted || (value.text !== '?' && value.text !== '.')) &&
  value.text.trim() !== '';

/** The first of the tags with a value, as an item or as the only row of a loop. */
function firstItem(block: CifBlock, tags: readonly string[]): CifValue | undefined {
  for (const tag of tags) {
    const item = block.items.get(tag);
    if (isKnown(item) && item.text.trim() !== '?') return item;
    const loop = block.loops.find((candidate) => candidate.tags.includes(tag));
    if (loop && loop.values.length >= loop.tags.length) {
      const value = loop.values.at(loop.tags.indexOf(tag));
      if (isKnown(value)) return value;
    }
  }
  return undefined;
}

/** Largest relative change of an edge, or change of a cosine, under the rotation; 0 for a symmetry of the lattice. */
function metricChange(latticeVectors: Mat3, { rotation }: SymmetryOperation): number {
  const metric = multiply3(latticeVectors, transpose3(latticeVectors));
  const moved = multiply3(multiply3(transpose3(rotation), metric), rotation);
  let worst = 0;
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      const change =
        i === j
          ? Math.sqrt(moved[i][i] / metric[i][i]) - 1
          : (moved[i][j] - metric[i][j]) / Math.sqrt(metric[i][i] * metric[j][j]);
      worst = Math.max(worst, Math.abs(change));
    }
  return worst;
}

const fits = (latticeVectors: Mat3, operations: readonly SymmetryOperation[]): boolean =>
  operations.every((operation) => metricChange(latticeVectors, operation) <= METRIC_TOLERANCE);

function readOperations(text: string, block: CifBlock, latticeVectors: Mat3): readonly SymmetryOperation[] {
  const values: CifValue[] = [];
  const table = tableWith(text, block, OPERATION_TAGS);
  if (table) {
    if (table.rows > MAX_OPERATIONS)
      throw new CrystalError(
        'too-large',
        `${table.rows} symmetry operations: at most ${MAX_OPERATIONS} are read`,
        { why: { reason: 'cif-too-many-operations', found: table.rows, limit: MAX_OPERATIONS } },
      );
    const tag = OPERATION_TAGS.find((candidate) => table.has(candidate)) ?? '';
    for (let row = 0; row < table.rows; row++) {
      const value = table.value(row, tag);
      if (isKnown(value)) values.push(value);
    }
  } else {
    const single = OPERATION_TAGS.map((tag) => block.items.get(tag)).find(isKnown);
    if (single) values.push(single);
  }
  const operations = new Map<string, SymmetryOperation>();
  for (const value of values) {
    let operation: SymmetryOperation;
    try {
      operation = parseSymmetryOperation(value.text);
    } catch (error) {
      return refuseAt(text, value.offset, error instanceof CrystalError ? error.message : String(error), {
        reason: 'cif-bad-operation',
        found: shown(value.text),
      });
    }
    const change = metricChange(latticeVectors, operation);
    if (change > METRIC_TOLERANCE)
      refuseAt(
        text,
        value.offset,
        `the operation "${shown(value.text)}" does not fit the cell (it changes its edges by ${(100 * change).toFixed(1)} %); check cell and symmetry`,
        {
          reason: 'cif-operation-misfit',
          found: shown(value.text),
          percent: (100 * change).toFixed(1),
        },
      );
    operations.set(formatSymmetryOperation(operation), operation);
  }
  if (operations.size === 0) return [];
  return operations.has('x,y,z') ? [...operations.values()] : [IDENTITY_OPERATION, ...operations.values()];
}

/**
 * Chooses among several settings of one symbol: the setting must fit the cell; if several do, the declared
 * formula and the number of formula units decide.
 */
export interface SettingChoice {
  /** Composition of the cell under these operations. */
  readonly composition: (operations: readonly SymmetryOperation[]) => Composition | undefined;
  readonly formula: string | undefined;
}

/** Two amounts are equal if their ratio is not above this. */
const SAME_AMOUNT = 1.05;

/** True if both compositions contain the same elements in the same ratio, within a few per cent. */
export function isProportional(a: Composition, b: Composition): boolean {
  const elements = Object.keys(a);
  if (elements.length !== Object.keys(b).length || !elements.every((element) => element in b)) return false;
  const ratios = elements.map((element) => a[element] / b[element]);
  return Math.max(...ratios) <= SAME_AMOUNT * Math.min(...ratios);
}

export function declaredComposition(formula: string | undefined): Composition | undefined {
  if (formula === undefined) return undefined;
  try {
    return parseFormula(formula);
  } catch {
    // The formula is only a hint; an unreadable one is ignored.
    return undefined;
  }
}

const atomsOf = (composition: Composition): number =>
  Object.values(composition).reduce((sum, amount) => sum + amount, 0);

/** @param units formula units of the cell; NaN if unknown */
function chooseSetting(
  settings: readonly SpaceGroupSetting[],
  latticeVectors: Mat3,
  { composition, formula }: SettingChoice,
  units: number,
):
  | { setting: SpaceGroupSetting; operations: readonly SymmetryOperation[]; isAmbiguous: boolean }
  | undefined {
  const fitting = settings
    .map((setting) => ({ setting, operations: operationsFromHallSymbol(setting.hallSymbol) }))
    .filter(({ operations }) => fits(latticeVectors, operations));
  const declared = fitting.length > 1 ? declaredComposition(formula) : undefined;
  const agreeing = fitting.flatMap((candidate) => {
    const found = declared && composition(candidate.operations);
    if (!found || !isProportional(found, declared)) return [];
    return [{ ...candidate, ratio: atomsOf(found) / (units * atomsOf(declared)) }];
  });
  // A formula is only a ratio: for an element every setting agrees with it.
  const exact = agreeing.filter(({ ratio }) => ratio <= SAME_AMOUNT && ratio >= 1 / SAME_AMOUNT);
  const best = [exact, agreeing, fitting].find(({ length }) => length > 0);
  if (!best) return undefined;
  const distinct = new Set(best.map(({ setting }) => setting.hallSymbol));
  return { ...best[0], isAmbiguous: distinct.size > 1 };
}

/**
 * The operations that are applied to the atoms of a block, as the file declares them. The order of precedence is: listed operations, Hall
 * symbol, Hermann-Mauguin symbol, number. A block without any of them is read as P 1 with a warning.
 * @throws CrystalError `cif` with the position, for symbols or operations that cannot be parsed or do not fit
 *   the cell
 */
export function readSymmetry(
  text: string,
  block: CifBlock,
  latticeVectors: Mat3,
  choice: SettingChoice,
  notify: Notify,
): readonly SymmetryOperation[] {
  const symbol = firstItem(block, SYMBOL_TAGS);
  const numberItem = firstItem(block, NUMBER_TAGS);
  const number = numberItem === undefined ? Number.NaN : Number(numberItem.text.trim());
  const isNumber = Number.isInteger(number) && number >= 1 && number <= 230;
  const listed = readOperations(text, block, latticeVectors);
  if (listed.length > 0) return listed;

  const hall = firstItem(block, HALL_TAGS);
  if (hall) {
    try {
      const operations = operationsFromHallSymbol(hall.text.trim());
      if (fits(latticeVectors, operations)) return operations;
      if (!symbol && !isNumber)
        refuseAt(text, hall.offset, `the Hall symbol "${shown(hall.text)}" does not fit the cell`, {
          reason: 'cif-hall-misfit',
          found: shown(hall.text),
        });
    } catch (error) {
      if (!(error instanceof CrystalError) || (!symbol && !isNumber)) {
        if (error instanceof CrystalError && error.line === undefined)
          refuseAt(text, hall.offset, error.message, {
            reason: 'cif-bad-hall-symbol',
            found: shown(hall.text),
          });
        throw error;
      }
      const found = shown(hall.text);
      notify(
        'cif-unread-hall-symbol',
        `the Hall symbol "${found}" could not be read; the other symbols were used`,
        { found },
      );
    }
  }
  const bySymbol = symbol ? findSettingsBySymbol(symbol.text) : [];
  const settings = bySymbol.length > 0 ? bySymbol : isNumber ? findSettingsByNumber(number) : [];
  const named = symbol ?? numberItem;
  if (settings.length === 0) {
    if (named)
      refuseAt(
        text,
        named.offset,
        `"${shown(named.text)}" names no space group; expected a symbol such as "P 1 21/c 1", a number from 1 to 230, or the list of operations`,
        { reason: 'cif-unknown-space-group', found: shown(named.text) },
      );
    notify('cif-no-symmetry', 'the file gives no symmetry: all its atoms were taken as they are (P 1)');
    return [IDENTITY_OPERATION];
  }
  const units = Number.parseFloat(firstItem(block, [UNITS_TAG])?.text ?? '');
  const chosen = chooseSetting(settings, latticeVectors, choice, units);
  if (!chosen)
    return refuseAt(
      text,
      named?.offset ?? block.offset,
      `no setting of space group "${shown(named?.text ?? '')}" fits the cell; check the cell lengths and angles`,
      { reason: 'cif-space-group-misfit', found: shown(named?.text ?? '') },
    );
  if (chosen.isAmbiguous) {
    const { fullSymbol, choice: axes } = chosen.setting;
    const found = shown(named?.text ?? '');
    const bracket = axes === '' ? '' : ` (${axes})`;
    notify(
      'cif-several-settings',
      `the symbol "${found}" has several settings; "${fullSymbol}"${bracket} was used`,
      { found, used: `${fullSymbol}${bracket}` },
    );
  }
  return chosen.operations;
}
