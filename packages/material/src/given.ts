/** The scalars a source gives; all others are derived from the crystal, its energies and its larger results. */
import { FIELD_NAMES, type FieldName, fieldOf, type FieldOf, type Scalars } from './fields/fields.ts';
import { type PlacedName, placedNames } from './places.ts';

export type GivenName = PlacedName<'line'>;

/** What a source says of a material; null is unknown. */
export type Given = Pick<Scalars, GivenName>;

/** Names without which a line is refused. */
type RequiredName = {
  [Name in GivenName]: FieldOf<Name> extends { readonly isNullable: true } | { readonly lineDefault: unknown }
    ? never
    : Name;
}[GivenName];

function nothingGiven(): Omit<Given, RequiredName>;
function nothingGiven(): object {
  const known = placedNames('line').map((name): [FieldName, unknown] => [name, fieldOf(name).lineDefault]);
  return Object.fromEntries(
    known
      .filter(([name, value]) => value !== undefined || fieldOf(name).isNullable === true)
      .map(([name, value]) => [name, value ?? null]),
  );
}

/** What a source says that says nothing: what every source has to say is missing here. */
export const NOTHING_GIVEN = nothingGiven();

/** Fields whose values grow with the cell. */
const PER_CELL: readonly FieldName[] = FIELD_NAMES.filter((name) => {
  const field = fieldOf(name);
  return field.kind === 'number' && field.per === 'cell';
});

/**
 * Scalars of one cell → the same of another cell of the crystal.
 * @param cells how many of the old cells the new one holds: ½ for the primitive cell of a body-centred one.
 */
export function scaledToCell<Values extends Partial<Scalars>>(scalars: Values, cells: number): Values {
  const scaled: Record<string, number> = {};
  for (const name of PER_CELL) {
    const value = scalars[name];
    if (typeof value === 'number') scaled[name] = value * cells;
  }
  return { ...scalars, ...scaled };
}
