/**
 * Prices of the elements, for a rough comparison of materials.
 *
 * Column by column: symbol, USD per kilogram of the element, year of the price. Source: the table of the
 * article "Prices of chemical elements" of Wikipedia
 * (https://en.wikipedia.org/wiki/Prices_of_chemical_elements), which names a primary source in each row (mostly
 * USGS Mineral Commodity Summaries, the London Metal Exchange and Shanghai Metals Market). The price is that of
 * the cheapest traded form, often the metal; lithium in a salt costs less than the metal. If the article gives a
 * range, this table contains the lower end. Radioactive elements, noble gases, and Ba (which the article prices
 * as ore, not as the element) are left out.
 */
import { elementBySymbol } from './elements.ts';

const ROWS = `
H 1.39 2012, Li 81.4 2020, Be 857 2020, B 3.68 2019, C 0.122 2018, N 0.14 2001, O 0.154 2001, F 1.84 2017,
Na 2.57 2020, Mg 2.32 2019, Al 1.79 2019, Si 1.7 2019, P 2.69 2019, S 0.0926 2019, Cl 0.082 2013, K 12.1 2020,
Ca 2.21 2020, Sc 3460 2020, Ti 11.1 2020, V 357 2020, Cr 9.4 2019, Mn 1.82 2019, Fe 0.424 2020, Co 32.8 2019,
Ni 13.9 2019, Cu 6 2019, Zn 2.55 2019, Ga 148 2019, Ge 914 2020, As 1 2020, Se 21.4 2019, Br 4.39 2019,
Rb 15500 2018, Sr 6.53 2019, Y 31 2019, Zr 35.7 2020, Nb 61.4 2020, Mo 40.1 2019, Ru 10400 2020, Rh 147000 2019,
Pd 49500 2019, Ag 521 2019, Cd 2.73 2019, In 167 2019, Sn 18.7 2019, Sb 5.79 2019, Te 63.5 2019, I 35 2019,
Cs 61800 2018, La 4.78 2020, Ce 4.57 2020, Pr 103 2019, Nd 57.5 2019, Sm 13.9 2019, Eu 31.4 2020, Gd 28.6 2020,
Tb 658 2019, Dy 307 2019, Ho 57.1 2020, Er 26.4 2020, Tm 3000 2003, Yb 17.1 2020, Lu 643 2020, Hf 900 2017,
Ta 298 2019, W 35.3 2019, Re 3010 2020, Pt 27800 2019, Hg 30.2 2017, Tl 4200 2017, Pb 2 2019, Bi 6.36 2019`;

export interface ElementPrice {
  /** USD per kilogram of the element. */
  readonly usdPerKg: number;
  readonly year: number;
}

const PRICES: ReadonlyMap<string, ElementPrice> = new Map(
  ROWS.split(',').map((row) => {
    const [symbol = '', usdPerKg, year] = row.trim().split(' ');
    return [symbol, { usdPerKg: Number(usdPerKg), year: Number(year) }];
  }),
);

/** Null if the table has no price. */
export const elementPrice = (symbol: string): ElementPrice | null => PRICES.get(symbol) ?? null;

export interface MaterialPrice {
  /** USD per kilogram of the material; null if the price of an element is unknown. */
  readonly usdPerKg: number | null;
  /** The elements without a price. */
  readonly unknown: readonly string[];
}

/**
 * Price of the elements in one kilogram of a material: the mean of their prices, weighted by mass. It leaves out the cost
 * of making the material.
 *
 * @param composition atoms of each element
 */
export function priceOfElements(composition: Readonly<Record<string, number>>): MaterialPrice {
  const unknown: string[] = [];
  let mass = 0;
  let cost = 0;
  for (const [symbol, amount] of Object.entries(composition)) {
    const kilograms = amount * elementBySymbol(symbol).atomicMass;
    const price = elementPrice(symbol);
    if (price === null) unknown.push(symbol);
    else cost += kilograms * price.usdPerKg;
    mass += kilograms;
  }
  return { usdPerKg: unknown.length > 0 ? null : cost / mass, unknown };
}
