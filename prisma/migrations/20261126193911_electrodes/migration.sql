-- CreateTable
CREATE TABLE "dirty_electrode" (
    "chemical_system" TEXT NOT NULL,
    "functional" TEXT NOT NULL,
    "marked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "dirty_electrode_pkey" PRIMARY KEY ("chemical_system","functional")
);

-- CreateTable
CREATE TABLE "electrode" (
    "discharged_id" INTEGER NOT NULL,
    "working_ion" TEXT NOT NULL,
    "functional" TEXT NOT NULL,
    "charged_id" INTEGER NOT NULL,
    "framework" TEXT NOT NULL,
    "chemical_system" TEXT NOT NULL,
    "elements" TEXT[],
    "charged_content" DOUBLE PRECISION NOT NULL,
    "discharged_content" DOUBLE PRECISION NOT NULL,
    "average_voltage" DOUBLE PRECISION NOT NULL,
    "min_voltage" DOUBLE PRECISION NOT NULL,
    "max_voltage" DOUBLE PRECISION NOT NULL,
    "capacity" DOUBLE PRECISION NOT NULL,
    "charged_capacity" DOUBLE PRECISION NOT NULL,
    "volume_capacity" DOUBLE PRECISION NOT NULL,
    "specific_energy" DOUBLE PRECISION NOT NULL,
    "energy_density" DOUBLE PRECISION NOT NULL,
    "volume_change" DOUBLE PRECISION NOT NULL,
    "charged_above_hull" DOUBLE PRECISION NOT NULL,
    "discharged_above_hull" DOUBLE PRECISION NOT NULL,
    "above_hull" DOUBLE PRECISION NOT NULL,
    "steps" JSONB NOT NULL,
    "states" JSONB NOT NULL,
    "state_ids" INTEGER[],
    "release_id" INTEGER,

    CONSTRAINT "electrode_pkey" PRIMARY KEY ("discharged_id","working_ion","functional")
);

-- CreateIndex
CREATE INDEX "electrode_functional_working_ion_average_voltage_idx" ON "electrode"("functional", "working_ion", "average_voltage");

-- CreateIndex
CREATE INDEX "electrode_charged_id_idx" ON "electrode"("charged_id");

-- CreateIndex
CREATE INDEX "electrode_state_ids_idx" ON "electrode" USING GIN ("state_ids");

-- AddForeignKey
ALTER TABLE "electrode" ADD CONSTRAINT "electrode_discharged_id_fkey" FOREIGN KEY ("discharged_id") REFERENCES "material"("struct_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "electrode" ADD CONSTRAINT "electrode_charged_id_fkey" FOREIGN KEY ("charged_id") REFERENCES "material"("struct_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Electrodes of the materials of an older version are derived after the upgrade.
INSERT INTO "dirty_electrode" ("chemical_system", "functional")
SELECT DISTINCT "chemical_system", "functional" FROM "material_energy";
