import { buildStructure, checkStructure } from './build-structure.ts';
import type { Compound } from './compound.ts';
import { materialLine } from './material.ts';
import type { SeedTables } from './seed-files.ts';

/** Every property row must belong to a compound of the same formula. */
function checkOwnership({ compounds, properties, electronic, ownEnergies }: SeedTables): void {
  const formulas = new Map(compounds.map(({ structId, formula }) => [structId, formula]));
  for (const [structId, { formula }] of [...properties, ...ownEnergies])
    if (formulas.get(structId) !== formula)
      throw new Error(
        `A row of the property tables says struct_id ${structId} is ${formula}, but compounds.csv says ${formulas.get(structId) ?? 'there is none'}.`,
      );
  for (const structId of electronic.keys())
    if (!formulas.has(structId))
      throw new Error(`bands.jsonl has a line for struct_id ${structId}, which compounds.csv does not list.`);
}

/** The line of one compound. @throws Error with the name of the compound and the message of the failed check. */
function buildLine(compound: Compound, tables: SeedTables): string {
  try {
    const structure = buildStructure(compound);
    checkStructure(compound, structure);
    const properties = tables.properties.get(compound.structId) ?? {};
    return JSON.stringify(
      materialLine(compound, structure, {
        properties,
        electronic: tables.electronic.get(compound.structId),
        ownEnergy: tables.ownEnergies.get(compound.structId),
        scaleFailures: tables.scaleFailures.filter(({ structId, rivals }) =>
          [structId, ...rivals].includes(compound.structId),
        ),
      }),
    );
  } catch (cause) {
    throw new Error(
      `Seed compound ${compound.structId}, ${compound.formula} (${compound.nameEn}): ${(cause as Error).message}`,
      { cause },
    );
  }
}

/** The lines of `seed-data/generated/materials.jsonl` by struct_id. @throws Error that lists all rows that fail a check */
export function buildSeed(tables: SeedTables): readonly string[] {
  checkOwnership(tables);
  const failures: string[] = [];
  const lines = tables.compounds.flatMap((compound) => {
    try {
      return [buildLine(compound, tables)];
    } catch (error) {
      failures.push((error as Error).message);
      return [];
    }
  });
  if (failures.length > 0) throw new Error(failures.join('\n'));
  return lines;
}
