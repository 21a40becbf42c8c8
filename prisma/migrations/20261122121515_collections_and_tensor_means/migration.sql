-- AlterTable
ALTER TABLE "material" ADD COLUMN     "bulk_modulus" DOUBLE PRECISION,
ADD COLUMN     "dielectric_electronic" DOUBLE PRECISION,
ADD COLUMN     "dielectric_total" DOUBLE PRECISION,
ADD COLUMN     "shear_modulus" DOUBLE PRECISION;

-- What is stored already: means of the diagonals, and Hill's means of the bounds of Voigt and Reuss
-- (packages/tensors/src/elastic-moduli.ts), for which the 6x6 tensor is inverted by Gauss and Jordan.
UPDATE "material" SET
    "dielectric_electronic" = ((electronic -> 0 ->> 0)::float8 + (electronic -> 1 ->> 1)::float8 + (electronic -> 2 ->> 2)::float8) / 3,
    "dielectric_total" = CASE WHEN jsonb_typeof(total) = 'array' THEN
        ((total -> 0 ->> 0)::float8 + (total -> 1 ->> 1)::float8 + (total -> 2 ->> 2)::float8) / 3 END
  FROM "dielectric_tensor" d WHERE d.struct_id = "material".struct_id;

CREATE FUNCTION hill_moduli(tensor jsonb) RETURNS float8[]
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  m float8[6][12] := array_fill(0::float8, ARRAY[6, 12]);
  c float8[6][6] := array_fill(0::float8, ARRAY[6, 6]);
  pivot int;
  factor float8;
  held float8;
BEGIN
  FOR i IN 1..6 LOOP
    FOR j IN 1..6 LOOP
      c[i][j] := ((tensor -> (i - 1) ->> (j - 1))::float8 + (tensor -> (j - 1) ->> (i - 1))::float8) / 2;
      m[i][j] := c[i][j];
    END LOOP;
    m[i][6 + i] := 1;
  END LOOP;
  FOR k IN 1..6 LOOP
    pivot := k;
    FOR i IN k..6 LOOP
      IF abs(m[i][k]) > abs(m[pivot][k]) THEN pivot := i; END IF;
    END LOOP;
    IF m[pivot][k] = 0 THEN RETURN NULL; END IF;
    FOR j IN 1..12 LOOP
      held := m[k][j];
      m[k][j] := m[pivot][j];
      m[pivot][j] := held;
    END LOOP;
    factor := m[k][k];
    FOR j IN 1..12 LOOP m[k][j] := m[k][j] / factor; END LOOP;
    FOR i IN 1..6 LOOP
      IF i <> k THEN
        factor := m[i][k];
        FOR j IN 1..12 LOOP m[i][j] := m[i][j] - factor * m[k][j]; END LOOP;
      END IF;
    END LOOP;
  END LOOP;
  RETURN ARRAY[
    ((c[1][1] + c[2][2] + c[3][3] + 2 * (c[1][2] + c[1][3] + c[2][3])) / 9
      + 1 / (m[1][7] + m[2][8] + m[3][9] + 2 * (m[1][8] + m[1][9] + m[2][9]))) / 2,
    ((c[1][1] + c[2][2] + c[3][3] - c[1][2] - c[1][3] - c[2][3] + 3 * (c[4][4] + c[5][5] + c[6][6])) / 15
      + 15 / (4 * (m[1][7] + m[2][8] + m[3][9]) - 4 * (m[1][8] + m[1][9] + m[2][9])
        + 3 * (m[4][10] + m[5][11] + m[6][12]))) / 2];
END $$;

UPDATE "material" SET "bulk_modulus" = moduli[1], "shear_modulus" = moduli[2]
  FROM (SELECT struct_id, hill_moduli(tensor) AS moduli FROM "elastic_tensor") e WHERE e.struct_id = "material".struct_id;

DROP FUNCTION hill_moduli(jsonb);

-- CreateTable
CREATE TABLE "collection" (
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',
    "share_key" TEXT,
    "release_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "collection_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "collection_item" (
    "collection_id" INTEGER NOT NULL,
    "struct_id" INTEGER NOT NULL,
    "added_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "collection_item_pkey" PRIMARY KEY ("collection_id","struct_id")
);

-- CreateTable
CREATE TABLE "saved_search" (
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "filter" TEXT NOT NULL,
    "scale" TEXT NOT NULL DEFAULT '',
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_release" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_search_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "collection_share_key_key" ON "collection"("share_key");

-- CreateIndex
CREATE INDEX "collection_account_id_idx" ON "collection"("account_id");

-- CreateIndex
CREATE INDEX "saved_search_account_id_idx" ON "saved_search"("account_id");

-- AddForeignKey
ALTER TABLE "collection" ADD CONSTRAINT "collection_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "collection_item" ADD CONSTRAINT "collection_item_collection_id_fkey" FOREIGN KEY ("collection_id") REFERENCES "collection"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "saved_search" ADD CONSTRAINT "saved_search_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
