-- AlterTable
ALTER TABLE "material" ADD COLUMN     "energy_vdw" DOUBLE PRECISION;
