-- AlterTable
ALTER TABLE "stable_composition" ADD COLUMN     "formation_energy_per_atom" DOUBLE PRECISION;
