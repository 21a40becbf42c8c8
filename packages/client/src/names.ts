/** One name for each quantity; in the API the name of a quantity depends on the call. */

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

/** Renames the fields of an answer, or of a part of it, to the names of the client. */
export function named<Answer extends object>(answer: Answer): Named<Answer>;
export function named(answer: object): object {
  const names: Readonly<Record<string, string>> = NAMES;
  return Object.fromEntries(Object.entries(answer).map(([key, value]) => [names[key] ?? key, value]));
}

/** Converts a row to an object. */
export function rowNamed<const Columns extends readonly string[], Row extends readonly unknown[]>(
  columns: Columns,
  row: Row,
): RowNamed<Columns, Row>;
export function rowNamed(columns: readonly string[], row: readonly unknown[]): object {
  return named(Object.fromEntries(columns.map((name, index) => [name, row[index]])));
}
