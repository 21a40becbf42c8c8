/** Moduli computed by a migration for materials stored earlier: compares its SQL with the package. */
import { createTestDatabase } from '@unitcell/tools/test-database';
import { readMigrations } from '@unitcell/tools/migrations';
import { seededRandom } from '@unitcell/numerics';
import { elasticModuli } from '@unitcell/tensors';
import pg from 'pg';
import { expect, it } from 'vitest';

it('the migration inverts random stiffness tensors as the package does', async () => {
  const migration = readMigrations().find(({ name }) => name.endsWith('collections_and_tensor_means'))!;
  const [made] = /CREATE FUNCTION hill_moduli[\s\S]*?END \$\$;/.exec(migration.sql)!;
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(made);
    const random = seededRandom(1889);
    for (let round = 0; round < 50; round++) {
      const half = Array.from({ length: 6 }, () => Array.from({ length: 6 }, () => 10 * random() - 5));
      // A·Aᵀ + 100 has only positive eigenvalues.
      const tensor = half.map((row, i) =>
        half.map((other, j) => row.reduce((sum, value, k) => sum + value * other[k]!, i === j ? 100 : 0)),
      );
      const { bulk, shear } = elasticModuli(tensor);
      const { rows } = await client.query<{ moduli: number[] }>('SELECT hill_moduli($1::jsonb) AS moduli', [
        JSON.stringify(tensor),
      ]);
      expect(rows[0]?.moduli[0]).toBeCloseTo(bulk.hill, 8);
      expect(rows[0]?.moduli[1]).toBeCloseTo(shear.hill, 8);
    }
  } finally {
    await client.end();
    await database.drop();
  }
});
