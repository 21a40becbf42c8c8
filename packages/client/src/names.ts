/** One name for each quantity: the wire has several, call by call. */

const NAMES = {
  e_above_hull: 'energy_above_hull',
  ehull: 'energy_above_hull',
  bandgap: 'band_gap',
  spacegroup: 'space_group',
  pointgroup: 'point_group',
  functional: 'scale',
} as const;
type Names = typeof NAMES;

type Named<Answer> = {
  [Key in keyof Answer as Key extends keyof Names ? Names[Key] : Key]: Answer[Key];
};
type RowNamed<Columns extends readonly string[], Row extends readonly unknown[]> = Named<{
  [Index in keyof Columns & `${number}` as Columns[Index] & string]: Index extends keyof Row
    ? Row[Index]
    : never;
}>;

/** An answer, or a part of one, with the names of the client. */
export function named<Answer extends object>(answer: Answer): Named<Answer>;
export function named(answer: object): object {
  const names: Readonly<Record<string, string>> = NAMES;
  return Object.fromEntries(Object.entries(answer).map(([key, value]) => [names[key] ?? key, value]));
}

/** A row as an object. */
export function rowNamed<const Columns extends readonly string[], Row extends readonly unknown[]>(
  columns: Columns,
  row: Row,
): RowNamed<Columns, Row>;
export function rowNamed(columns: readonly string[], row: readonly unknown[]): object {
  return named(Object.fromEntries(columns.map((name, index) => [name, row[index]])));
}
