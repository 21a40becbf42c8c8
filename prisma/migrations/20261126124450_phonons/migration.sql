-- AlterTable
ALTER TABLE "material" ADD COLUMN     "has_phonons" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "phonon_spectrum" (
    "struct_id" INTEGER NOT NULL,
    "functional" TEXT NOT NULL,
    "data" JSONB NOT NULL,

    CONSTRAINT "phonon_spectrum_pkey" PRIMARY KEY ("struct_id","functional")
);

-- AddForeignKey
ALTER TABLE "phonon_spectrum" ADD CONSTRAINT "phonon_spectrum_struct_id_fkey" FOREIGN KEY ("struct_id") REFERENCES "material"("struct_id") ON DELETE CASCADE ON UPDATE CASCADE;
