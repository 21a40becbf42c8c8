/** Finds which of the 530 tabulated settings is meant by the symbols of a file. */
import { HALL_SYMBOL_LINES } from './data/hall-symbols.ts';

export type CrystalSystem =
  | 'triclinic'
  | 'monoclinic'
  | 'orthorhombic'
  | 'tetragonal'
  | 'trigonal'
  | 'hexagonal'
  | 'cubic';

export interface SpaceGroupSetting {
  /** 1 to 530, in Hall's order. */
  readonly hallNumber: number;
  /** 1 to 230. */
  readonly number: number;
  /** `b1`, `-cba`, origin choice `1` or `2`, `H` or `R`; empty for the standard setting. */
  readonly choice: string;
  readonly hallSymbol: string;
  /** Hermann-Mauguin symbol with blanks: `F m -3 m`. */
  readonly symbol: string;
  /** `F 4/m -3 2/m` */
  readonly fullSymbol: string;
}

export const SPACE_GROUP_SETTINGS: readonly SpaceGroupSetting[] = HALL_SYMBOL_LINES.trim()
  .split('\n')
  .map((line, index) => {
    const [number, choice, hallSymbol, symbol, fullSymbol] = line.split('|');
    return { hallNumber: index + 1, number: Number(number), choice, hallSymbol, symbol, fullSymbol };
  });

/** Symbols from before 1992, when the letter e was introduced for glide planes, in the order of the six settings. */
const SYMBOLS_BEFORE_E: Readonly<Record<number, readonly string[]>> = {
  39: ['Abm2', 'Bma2', 'B2cm', 'C2mb', 'Cm2a', 'Ac2m'],
  41: ['Aba2', 'Bba2', 'B2cb', 'C2cb', 'Cc2a', 'Ac2a'],
  64: ['Cmca', 'Ccmb', 'Abma', 'Acam', 'Bbcm', 'Bmab'],
  67: ['Cmma', 'Cmmb', 'Abmm', 'Acmm', 'Bmcm', 'Bmam'],
  68: ['Ccca', 'Cccb', 'Abaa', 'Acaa', 'Bbcb', 'Bbab'],
};
const SETTING_ORDER = ['', 'ba-c', 'cab', '-cba', 'bca', 'a-cb'];

/** First cubic group: for cubic groups, older symbols omit the bar of −3 (Fd3m for Fd-3m). */
const FIRST_CUBIC = 195;

const withoutOrigin = (choice: string): string =>
  choice[0] === '1' || choice[0] === '2' ? choice.slice(1) : choice;

const compact = (symbol: string): string => symbol.replaceAll(' ', '').replaceAll('_', '').toLowerCase();

function symbolsOf(setting: SpaceGroupSetting): readonly string[] {
  const { number, choice, symbol, fullSymbol } = setting;
  const symbols = [symbol, fullSymbol];
  if (number >= FIRST_CUBIC) symbols.push(symbol.replace('-3', '3'), fullSymbol.replace('-3', '3'));
  const old = SYMBOLS_BEFORE_E[number]?.[SETTING_ORDER.indexOf(withoutOrigin(choice))];
  if (old !== undefined) symbols.push(old);
  return symbols.map(compact);
}

function indexed(
  keysOf: (setting: SpaceGroupSetting) => readonly string[],
): ReadonlyMap<string, SpaceGroupSetting[]> {
  const map = new Map<string, SpaceGroupSetting[]>();
  for (const setting of SPACE_GROUP_SETTINGS)
    for (const key of new Set(keysOf(setting))) {
      const list = map.get(key);
      if (list) list.push(setting);
      else map.set(key, [setting]);
    }
  return map;
}

const BY_SYMBOL = indexed(symbolsOf);
const BY_NUMBER = indexed((setting) => [String(setting.number)]);

/** Suffixes that name an origin or axes; ICSD writes S for the first and Z for the second origin. */
const CHOICES: Readonly<Record<string, string>> = { '1': '1', '2': '2', s: '1', z: '2', h: 'H', r: 'R' };

/** Splits `F d -3 m :2`, `P 4/n m m (origin choice 2)`, `R -3 m H` or `F d -3 m S` into symbol and choice. */
function cutChoice(text: string): { symbol: string; choice: string | undefined } {
  let rest = text.trim();
  const bracket = rest.indexOf('(');
  if (bracket > 0) {
    const last = rest.slice(bracket).replaceAll(')', '').trim().at(-1) ?? '';
    return { symbol: rest.slice(0, bracket), choice: CHOICES[last.toLowerCase()] };
  }
  const colon = rest.indexOf(':');
  if (colon > 0)
    return {
      symbol: rest.slice(0, colon),
      choice:
        CHOICES[
          rest
            .slice(colon + 1)
            .trim()
            .toLowerCase()
        ],
    };
  const ending = rest.at(-1) ?? '';
  // No symbol ends with one of these letters. Some end with a digit (P 1 21 1), so an origin digit is only
  // recognised after a colon.
  if ('SZHR'.includes(ending) && rest.length > 2) {
    rest = rest.slice(0, -1);
    return { symbol: rest, choice: CHOICES[ending.toLowerCase()] };
  }
  return { symbol: rest, choice: undefined };
}

/** Ranks the settings of one symbol: standard axes, second origin (at the centre) and hexagonal axes first. */
function preference({ choice }: SpaceGroupSetting): number {
  if (choice === '' || choice === '2' || choice === 'H' || choice === 'b' || choice === 'b1') return 0;
  return choice === '1' || choice === 'R' ? 1 : 2;
}

/**
 * The settings that a Hermann-Mauguin symbol may denote, the usual one first; empty if the symbol is unknown.
 * Blanks, underscores and letter case do not matter; short, full and older symbols are accepted.
 * @example findSettingsBySymbol('F d -3 m:1')[0].hallSymbol // 'F 4d 2 3 -1d'
 */
export function findSettingsBySymbol(text: string): readonly SpaceGroupSetting[] {
  const { symbol, choice } = cutChoice(text);
  const found = BY_SYMBOL.get(compact(symbol)) ?? [];
  const chosen = choice === undefined ? found : found.filter((setting) => setting.choice.startsWith(choice));
  return [...chosen].sort((a, b) => preference(a) - preference(b));
}

/** All settings of a space group (1 to 230), the usual one first. */
export const findSettingsByNumber = (number: number): readonly SpaceGroupSetting[] =>
  [...(BY_NUMBER.get(String(number)) ?? [])].sort((a, b) => preference(a) - preference(b));
