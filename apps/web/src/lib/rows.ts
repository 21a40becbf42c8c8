/**
 * Groups items by key, in the order of their first appearance, like `Map.groupBy`, which Safari 17.3 and Node 20 lack.
 */
export function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Row `[1, 'TiO2']` with the fields `['struct_id', 'formula']` is `{ struct_id: number; formula: string }`. */
export type NamedRow<Fields extends readonly string[], Row extends readonly unknown[]> = {
  readonly [Index in keyof Row & keyof Fields & `${number}` as Fields[Index] & string]: Row[Index];
};

export const namedRow = <const Fields extends readonly string[], Row extends readonly unknown[]>(
  fields: Fields,
  row: Row,
): NamedRow<Fields, Row> =>
  // The type has the names and positions; the compiler cannot derive it from Object.fromEntries.
  Object.fromEntries(fields.map((field, index) => [field, row[index]])) as NamedRow<Fields, Row>;
