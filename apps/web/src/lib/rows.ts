/** Positional rows of the wire with their fields by name. */

/** Row `[1, 'TiO2']` with the fields `['struct_id', 'formula']` is `{ struct_id: number; formula: string }`. */
export type NamedRow<Fields extends readonly string[], Row extends readonly unknown[]> = {
  readonly [Index in keyof Row & keyof Fields & `${number}` as Fields[Index] & string]: Row[Index];
};

export const namedRow = <const Fields extends readonly string[], Row extends readonly unknown[]>(
  fields: Fields,
  row: Row,
): NamedRow<Fields, Row> =>
  // Names come from positions, which the compiler follows in the type but not through fromEntries.
  Object.fromEntries(fields.map((field, index) => [field, row[index]])) as NamedRow<Fields, Row>;
