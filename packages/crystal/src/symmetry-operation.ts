/**
 * Symmetry operations in fractional coordinates and the notation `-y, x-y, z+1/3`.
 *
 *   operation = component ',' component ',' component
 *   component = [ sign ] term { sign term }
 *   term      = [ number [ '*' ] ] ( 'x' | 'y' | 'z' ) | number
 *   number    = digits [ '.' digits ] [ '/' digits ]
 */
import { determinant3, type Mat3, type Vec3 } from '@unitcell/numerics';
import { CrystalError } from './error.ts';

/** x′ = rotation · x + translation, with x the column of fractional coordinates. */
export interface SymmetryOperation {
  /** Integer matrix with determinant 1 or −1. */
  readonly rotation: Mat3;
  /** Fractions of the lattice vectors, in [0, 1). */
  readonly translation: Vec3;
}

/** Translations of space groups in the usual settings are multiples of 1/12 or 1/8. */
const TRANSLATION_DENOMINATOR = 24;

/**
 * Translations may be written with only three decimals (0.333); within this tolerance they are replaced by the
 * exact fraction.
 */
export const TRANSLATION_TOLERANCE = 1.5e-3;

/** Fractional part in [0, 1), exactly zero for values that are integers up to rounding. */
export function wrapFraction(value: number): number {
  const fraction = value - Math.floor(value);
  return fraction >= 1 ? 0 : fraction;
}

function snapTranslation(value: number): number {
  const steps = Math.round(value * TRANSLATION_DENOMINATOR);
  const exact = steps / TRANSLATION_DENOMINATOR;
  return wrapFraction(Math.abs(value - exact) <= TRANSLATION_TOLERANCE ? exact : value);
}

/** Image of a fractional position, not wrapped into the cell. */
export const applySymmetryOperation = ({ rotation: r, translation: t }: SymmetryOperation, x: Vec3): Vec3 => [
  r[0][0] * x[0] + r[0][1] * x[1] + r[0][2] * x[2] + t[0],
  r[1][0] * x[0] + r[1][1] * x[1] + r[1][2] * x[2] + t[1],
  r[2][0] * x[0] + r[2][1] * x[1] + r[2][2] * x[2] + t[2],
];

interface Component {
  readonly coefficients: [number, number, number];
  constant: number;
}

function parseComponent(component: string, refuse: (cause: string) => never): Component {
  const result: Component = { coefficients: [0, 0, 0], constant: 0 };
  let at = 0;
  const skip = (): void => {
    while (component[at] === ' ' || component[at] === '\t') at++;
  };
  const digits = (): string => {
    const start = at;
    while (component[at] >= '0' && component[at] <= '9') at++;
    return component.slice(start, at);
  };
  const number = (): number | undefined => {
    let written = digits();
    if (component[at] === '.') {
      at++;
      written = `${written}.${digits()}`;
    }
    if (written === '' || written === '.') return undefined;
    skip();
    if (component[at] !== '/') return Number(written);
    at++;
    skip();
    const denominator = Number(digits());
    if (!(denominator > 0)) refuse('the fraction has no denominator');
    return Number(written) / denominator;
  };
  skip();
  if (at === component.length) refuse('a component is empty');
  for (let isFirst = true; at < component.length; isFirst = false) {
    let sign = 1;
    if (component[at] === '+' || component[at] === '-') {
      sign = component[at] === '-' ? -1 : 1;
      at++;
      skip();
    } else if (!isFirst) refuse(`"${component[at]}" was not expected`);
    const value = number();
    skip();
    if (value !== undefined && component[at] === '*') {
      at++;
      skip();
    }
    const axis = 'xyz'.indexOf((component[at] ?? ' ').toLowerCase());
    if (axis >= 0) {
      result.coefficients[axis] += sign * (value ?? 1);
      at++;
    } else if (value === undefined) refuse(`"${component[at] ?? 'the end'}" was not expected`);
    else result.constant += sign * value;
    skip();
  }
  return result;
}

/**
 * Parses an `x, y, z` triplet. Decimal translations are read as the fraction they mean (0.333: 1/3).
 * @throws CrystalError `symmetry` for anything else, and for matrices that are not rotations of a lattice.
 * @example parseSymmetryOperation('-y, x-y, z+1/3')
 */
export function parseSymmetryOperation(text: string): SymmetryOperation {
  const refuse = (cause: string): never => {
    throw new CrystalError(
      'symmetry',
      `symmetry operation "${text.slice(0, 60)}": ${cause}; expected three parts such as "-y, x-y, z+1/3"`,
    );
  };
  const parts = text.split(',');
  if (parts.length !== 3) refuse(`it has ${parts.length} parts`);
  const components = parts.map((part) => parseComponent(part, refuse));
  const rotation = components.map(({ coefficients }) => coefficients) as unknown as Mat3;
  const isWhole = rotation.every((row) => row.every(Number.isInteger));
  if (!isWhole || Math.abs(determinant3(rotation)) !== 1) refuse('it maps no lattice onto itself');
  const translation = components.map(({ constant }) => snapTranslation(constant)) as unknown as Vec3;
  if (!translation.every(Number.isFinite)) refuse('its translation is not a finite number');
  return { rotation, translation };
}

/** The fraction of a translation with the smallest denominator, or a decimal number. */
function translationText(value: number): string {
  for (const denominator of [1, 2, 3, 4, 6, 8, 12, 24]) {
    const numerator = Math.round(value * denominator);
    if (Math.abs(value - numerator / denominator) < 1e-6)
      return denominator === 1 ? String(numerator) : `${numerator}/${denominator}`;
  }
  return String(value);
}

/** Writes `-y,x-y,z+1/3`, which `parseSymmetryOperation` and every CIF program can read. */
export function formatSymmetryOperation({ rotation, translation }: SymmetryOperation): string {
  const component = (row: Vec3, shift: number): string => {
    let written = '';
    row.forEach((coefficient, axis) => {
      if (coefficient === 0) return;
      const size = Math.abs(coefficient) === 1 ? '' : String(Math.abs(coefficient));
      written += `${coefficient < 0 ? '-' : written === '' ? '' : '+'}${size}${'xyz'[axis]}`;
    });
    const fraction = translationText(wrapFraction(shift));
    return fraction === '0' || fraction === '1' ? written : `${written}+${fraction}`;
  };
  return rotation.map((row, axis) => component(row, translation[axis])).join(',');
}
