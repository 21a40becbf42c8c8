-- CreateTable
CREATE TABLE "potential_prediction" (
    "struct_id" INTEGER NOT NULL,
    "model" TEXT,
    "max_force" DOUBLE PRECISION,
    "volume_change" DOUBLE PRECISION,
    "bulk_modulus" DOUBLE PRECISION,
    "shear_modulus" DOUBLE PRECISION,
    "debye_temperature" DOUBLE PRECISION,
    "lowest_frequency" DOUBLE PRECISION,
    "heat_capacity" DOUBLE PRECISION,
    "details" JSONB,
    "refusal" TEXT NOT NULL DEFAULT '',
    "seconds" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "made_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "potential_prediction_pkey" PRIMARY KEY ("struct_id")
);

-- CreateTable
CREATE TABLE "potential_task" (
    "struct_id" INTEGER NOT NULL,

    CONSTRAINT "potential_task_pkey" PRIMARY KEY ("struct_id")
);

-- AddForeignKey
ALTER TABLE "potential_prediction" ADD CONSTRAINT "potential_prediction_struct_id_fkey" FOREIGN KEY ("struct_id") REFERENCES "material"("struct_id") ON DELETE CASCADE ON UPDATE CASCADE;
