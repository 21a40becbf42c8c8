-- AlterTable
ALTER TABLE "material_energy" ADD COLUMN     "decomposition_energy_in_water" DOUBLE PRECISION,
ADD COLUMN     "oxygen_potential_max" DOUBLE PRECISION,
ADD COLUMN     "oxygen_potential_min" DOUBLE PRECISION;

-- The next derivation fills the new columns of materials that are stored already.
INSERT INTO "dirty_window" ("chemical_system", "functional", "stable_changed")
SELECT DISTINCT "chemical_system", "functional", false FROM "material_energy" WHERE "energy_above_hull" IS NOT NULL
ON CONFLICT DO NOTHING;
