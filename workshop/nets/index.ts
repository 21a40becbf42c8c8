/**
 * How the tables of plane nets in @unitcell/tight-binding are made: tilings from their Delaney–Dress symbols, drawn and
 * brought into the standard setting. Runs when the tables are generated, never in the product.
 */
export { buildCatalogue } from './catalogue.ts';
