-- AlterTable
ALTER TABLE "material" ADD COLUMN     "observed" TEXT;

-- What is stored already says it in its provenance.
UPDATE "material" SET "observed" = provenance -> 'observed' ->> 'status'
  WHERE provenance -> 'observed' ->> 'status' IN ('observed', 'computed only');
