/**
 * Names of compounds nobody gave a name here: made from the formula by the usual rules, in English and Chinese.
 * `Na2S` → sodium sulfide, 硫化钠; `Li3BO3` → lithium borate, 硼酸锂; `Al2Ca` → calcium aluminium intermetallic.
 */
import {
  type Composition,
  displayFormula,
  formulaOrder,
  formulaParts,
  parseFormula,
} from '@unitcell/crystal';
import { elementBySymbol } from '@unitcell/elements';
import { isMetal } from './bond-lengths.ts';

export interface CompoundName {
  readonly en: string;
  readonly zh: string;
}

/** Stems of anions: sulf-ide. In Chinese the element's own name serves. */
const ANIONS: Readonly<Record<string, string>> = {
  H: 'hydride',
  B: 'boride',
  C: 'carbide',
  N: 'nitride',
  O: 'oxide',
  F: 'fluoride',
  Si: 'silicide',
  P: 'phosphide',
  S: 'sulfide',
  Cl: 'chloride',
  Ge: 'germanide',
  As: 'arsenide',
  Se: 'selenide',
  Br: 'bromide',
  Sb: 'antimonide',
  Te: 'telluride',
  I: 'iodide',
  Bi: 'bismuthide',
};

/** Anions of one central atom and oxygen or sulfur: central atom, its number, the anion's number → name. */
const POLYANIONS: Readonly<Record<string, CompoundName>> = {
  'C1 O3': { en: 'carbonate', zh: '碳酸' },
  'N1 O3': { en: 'nitrate', zh: '硝酸' },
  'N1 O2': { en: 'nitrite', zh: '亚硝酸' },
  'S1 O4': { en: 'sulfate', zh: '硫酸' },
  'S1 O3': { en: 'sulfite', zh: '亚硫酸' },
  'S2 O7': { en: 'disulfate', zh: '焦硫酸' },
  'P1 O4': { en: 'phosphate', zh: '磷酸' },
  'P2 O7': { en: 'diphosphate', zh: '焦磷酸' },
  'P1 O3': { en: 'metaphosphate', zh: '偏磷酸' },
  'Si1 O4': { en: 'orthosilicate', zh: '正硅酸' },
  'Si1 O3': { en: 'metasilicate', zh: '偏硅酸' },
  'Si2 O5': { en: 'disilicate', zh: '二硅酸' },
  'B1 O3': { en: 'borate', zh: '硼酸' },
  'B1 O2': { en: 'metaborate', zh: '偏硼酸' },
  'Cl1 O4': { en: 'perchlorate', zh: '高氯酸' },
  'Cl1 O3': { en: 'chlorate', zh: '氯酸' },
  'H1 O1': { en: 'hydroxide', zh: '氢氧化' },
  'P1 S4': { en: 'thiophosphate', zh: '硫代磷酸' },
};

const en = (symbol: string): string => elementBySymbol(symbol).nameEn.toLowerCase();
const zh = (symbol: string): string => elementBySymbol(symbol).nameZh;
const joined = (symbols: readonly string[], one: (symbol: string) => string, glue: string): string =>
  symbols.map(one).join(glue);

function polyanionOf(composition: Composition, order: readonly string[]): CompoundName | undefined {
  const [centre, anion] = order.slice(-2);
  if (order.length < 3 || centre === undefined || anion === undefined) return undefined;
  const cations = order.slice(0, -2);
  if (!cations.every(isMetal)) return undefined;
  for (const [key, name] of Object.entries(POLYANIONS)) {
    const [, c, m, a, n] = /^([A-Z][a-z]?)(\d) ([A-Z][a-z]?)(\d)$/.exec(key) ?? [];
    if (c === centre && a === anion && composition[centre] * Number(n) === composition[anion] * Number(m))
      return name;
  }
  return undefined;
}

/** Chinese names write formulas with subscripts: Na₂S. */
const subscripted = (formula: string): string =>
  formulaParts(formula)
    .map(({ text, isSubscript }) =>
      isSubscript ? text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x2080 + Number(digit))) : text,
    )
    .join('');

function base(composition: Composition): CompoundName {
  const order = formulaOrder(composition);
  const polyanion = polyanionOf(composition, order);
  if (polyanion !== undefined) {
    const cations = order.slice(0, -2);
    return {
      en: `${joined(cations, en, ' ')} ${polyanion.en}`,
      zh: `${polyanion.zh}${joined([...cations].reverse(), zh, '')}`,
    };
  }
  const last = order.at(-1)!;
  const anion = ANIONS[last];
  const others = order.slice(0, -1);
  if (anion === undefined)
    return { en: `${joined(order, en, ' ')} intermetallic`, zh: `${joined(order, zh, '')}金属间化合物` };
  return {
    en: `${joined(others, en, ' ')} ${anion}`,
    zh: others.length === 1 ? `${zh(last)}化${zh(others[0])}` : `${joined(others, zh, '')}${zh(last)}化物`,
  };
}

/** English and Chinese name of a compound, with its formula, since several compositions share a name. */
export function systematicName(formula: string): CompoundName {
  const composition = parseFormula(formula);
  const shown = displayFormula(composition);
  const name = base(composition);
  return { en: `${name.en} (${shown})`, zh: `${name.zh} (${subscripted(shown)})` };
}
