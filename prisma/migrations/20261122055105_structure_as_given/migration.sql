-- What the source gave is kept from now on. Of materials stored before only the primitive standard cell is left, which is
-- marked; their tensors stay in the axes they were given in.
ALTER TABLE "material_structure" ADD COLUMN "given" JSONB,
ADD COLUMN "is_given_kept" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "rotation" JSONB NOT NULL DEFAULT '[[1, 0, 0], [0, 1, 0], [0, 0, 1]]',
ADD COLUMN "stated" JSONB NOT NULL DEFAULT '[]';

UPDATE "material_structure" SET "given" = "primitive";

ALTER TABLE "material_structure" ALTER COLUMN "given" SET NOT NULL,
ALTER COLUMN "is_given_kept" SET DEFAULT true;
