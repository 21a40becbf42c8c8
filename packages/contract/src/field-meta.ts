/** Metadata of fields beside their type, shown in the OpenAPI document. */
import { z } from 'zod';

/**
 * Description and unit of a field, for its `.meta()`: `z.number().meta(unit('eV/atom', 'Energy above the
 * hull.'))`.
 */
export const unit = (symbol: string | null, meaning: string) =>
  symbol === null ? { description: meaning } : { description: `${meaning} In ${symbol}.`, 'x-unit': symbol };

/** A row of values by position: `names` lists the fixed order; the OpenAPI document names each position. */
export function positionalRow<
  const Names extends readonly string[],
  Fields extends Readonly<Record<Names[number], z.ZodType>>,
>(
  names: Names,
  fields: Fields,
): z.ZodType<{ -readonly [Index in keyof Names]: z.output<Fields[Names[Index] & keyof Fields]> }>;
export function positionalRow(names: readonly string[], fields: Readonly<Record<string, z.ZodType>>) {
  const [first = z.never(), ...others] = names.map(
    (name) => fields[name]?.meta({ title: name }) ?? z.never(),
  );
  return z.tuple([first, ...others]);
}
