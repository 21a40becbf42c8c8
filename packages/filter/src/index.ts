/**
 * The filter language of OPTIMADE 1.2 for people, addresses, the API and federated clients.
 *
 * @example
 * const { tree, places } = parseFilter('elements HAS ONLY "Ti","O" AND band_gap > 2');
 * checkFilter({ tree, places }, materialFilterFields()); // throws FilterError with the position and the most
 * similar field
 * evaluateFilter(tree, (name) => row[name]); // true, false, or null if it depends on an unknown value
 * sqlOfFilter(tree, fields); // pieces of an SQL expression
 */
export * from './check-filter.ts';
export * from './tree.ts';
export * from './evaluate-filter.ts';
export * from './filter-error.ts';
export * from './filter-fields.ts';
export * from './parse-filter.ts';
export * from './read-tree.ts';
export * from './sql-of-filter.ts';
