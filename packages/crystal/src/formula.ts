/**
 * Writing chemical formulas. Elements are ordered by rising Pauling electronegativity, then alphabetically, as in
 * inorganic databases: LiCoO2, TiO2, Li3PS4, LiFePO4 (but also H4C for methane). Elements without a value come last.
 */
import { elementBySymbol } from '@unitcell/elements';
import { type Composition, formulaUnits, MIN_FORMULA_AMOUNT, reducedComposition } from './composition.ts';

export { parseFormula, MAX_FORMULA_LENGTH } from './parse-formula.ts';

/** Elements whose reduced formula is written as a molecule of two atoms. */
const DIATOMIC = new Set(['H', 'N', 'O', 'F', 'Cl']);

/** Elements whose 1 : 1 oxide is a peroxide and is written with its O2 group: Li2O2, H2O2. */
const PEROXIDES = new Set(['H', 'Li', 'Na', 'K', 'Rb', 'Cs']);

/**
 * If the two most electronegative elements differ by less than this on the Pauling scale, they form one anion, which is
 * written in brackets: Li(CoO2)2, Al2(SO4)3. The value follows the convention of the field's databases.
 */
export const POLYANION_ELECTRONEGATIVITY_GAP = 1.65;

/** Decimals kept of fractional amounts in a formula. */
const AMOUNT_DECIMALS = 4;

const electronegativity = (element: string): number =>
  elementBySymbol(element).electronegativity ?? Number.POSITIVE_INFINITY;

/** Element symbols in the order in which a formula lists them. */
export function formulaOrder(composition: Composition): readonly string[] {
  const compare = (a: string, b: string): number => {
    const [x, y] = [electronegativity(a), electronegativity(b)];
    if (x !== y) return x < y ? -1 : 1;
    return a < b ? -1 : 1;
  };
  return Object.keys(composition).sort(compare);
}

/**
 * An amount as written in a formula: empty for one, at most four decimals, no exponent. A positive amount is
 * never written as zero: `Li0` could not be parsed back.
 */
function amountText(amount: number): string {
  const scale = 10 ** AMOUNT_DECIMALS;
  const rounded = Math.max(MIN_FORMULA_AMOUNT, Math.round(amount * scale) / scale);
  return rounded === 1 ? '' : String(rounded);
}

const join = (composition: Composition, elements: readonly string[]): string =>
  elements.map((element) => element + amountText(composition[element])).join('');

/** The composition in formula order, not reduced: the content of a cell is `Li8Co8O16`. */
export const formulaOf = (composition: Composition): string => join(composition, formulaOrder(composition));

/**
 * One formula unit without brackets, as used for comparison and storage: `LiCo2O4`, `Li3PS4`. Pure H, N, O, F and Cl
 * are the molecules `H2`, `N2`, `O2`, `F2`, `Cl2`; peroxides keep their O2: `Li2O2`.
 */
export function reducedFormula(composition: Composition): string {
  const elements = Object.keys(composition);
  if (elements.length === 1 && DIATOMIC.has(elements[0])) return `${elements[0]}2`;
  const reduced = reducedComposition(composition);
  const [metal] = formulaOrder(reduced);
  const isPeroxide =
    elements.length === 2 && reduced['O'] === 1 && PEROXIDES.has(metal) && reduced[metal] === 1;
  return isPeroxide ? `${metal}2O2` : formulaOf(reduced);
}

/**
 * The reduced formula as databases display it, with polyanions in brackets: `Li(CoO2)2`, `Li3V2(PO4)3`. `parseFormula`
 * reads it back as the reduced composition.
 */
export function displayFormula(composition: Composition): string {
  const plain = reducedFormula(composition);
  const reduced = reducedComposition(composition);
  const order = formulaOrder(reduced);
  const [first, second] = [order.at(-2), order.at(-1)];
  if (order.length < 3 || first === undefined || second === undefined) return plain;
  const gap = electronegativity(second) - electronegativity(first);
  const anion: Composition = { [first]: reduced[first], [second]: reduced[second] };
  const repeats = formulaUnits(anion);
  const isBracketed = gap < POLYANION_ELECTRONEGATIVITY_GAP && Number.isInteger(repeats) && repeats > 1;
  if (!isBracketed || !Object.values(reduced).every(Number.isInteger)) return plain;
  return `${join(reduced, order.slice(0, -2))}(${formulaOf(reducedComposition(anion))})${repeats}`;
}

/** A, B, … Z, Aa, Ba, … as in OPTIMADE. */
function anonymousSymbol(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : letter + String.fromCharCode(96 + Math.floor(index / 26));
}

/**
 * The reduced formula with letters for elements, in order of falling amounts: `A4BCD` for LiFePO4, `A2B` for
 * TiO2 (OPTIMADE `chemical_formula_anonymous`).
 */
export function anonymousFormula(composition: Composition): string {
  const amounts = Object.values(reducedComposition(composition)).sort((a, b) => b - a);
  return amounts.map((amount, index) => anonymousSymbol(index) + amountText(amount)).join('');
}

/** A piece of a formula for typesetting: amounts after symbols and brackets are subscripts. */
export interface FormulaPart {
  readonly text: string;
  readonly isSubscript: boolean;
}

const AMOUNT_CHARACTERS = /[0-9.]/;

/** HO in brackets, or as the only anion of an alkali metal: LiHO. */
const HYDROXIDE = /(?<=\()HO(?=\))|(?<=^(?:Li|Na|K|Rb|Cs))HO$/g;

/** A formula with hydroxide written as OH: Mg(HO)2 gives Mg(OH)2. */
export const conventionalFormula = (formula: string): string => formula.replaceAll(HYDROXIDE, 'OH');

/**
 * A formula split for typesetting: `Li(CoO2)2` gives Li(CoO, ₂, ), ₂. Accepts any text, because the displayed
 * text may be a name. Numbers at the start and after a hydrate dot stay on the line (·5H2O). Hydroxide is
 * displayed as OH, although stored formulas are in the order of electronegativity: Fe(HO)3 gives Fe(OH)₃.
 */
export function formulaParts(formula: string): readonly FormulaPart[] {
  const parts: { text: string; isSubscript: boolean }[] = [];
  let previous = '';
  for (const character of conventionalFormula(formula)) {
    const last = parts[parts.length - 1];
    const isAmount = AMOUNT_CHARACTERS.test(character);
    const startsAmount = isAmount && character !== '.' && /[A-Za-z)\]}]/.test(previous);
    const isSubscript = startsAmount || (isAmount && last?.isSubscript);
    if (last && last.isSubscript === isSubscript) last.text += character;
    else parts.push({ text: character, isSubscript });
    previous = character;
  }
  return parts;
}
