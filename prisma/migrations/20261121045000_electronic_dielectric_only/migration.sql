-- AlterTable
ALTER TABLE "dielectric_tensor" ALTER COLUMN "total" DROP NOT NULL;
