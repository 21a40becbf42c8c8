-- CreateTable
CREATE TABLE "structure_arrangement" (
    "struct_id" INTEGER NOT NULL,
    "prototype" TEXT NOT NULL,
    "vector" BYTEA NOT NULL,
    "to_close" DOUBLE PRECISION NOT NULL,
    "to_diamond" DOUBLE PRECISION NOT NULL,
    "to_salt" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "structure_arrangement_pkey" PRIMARY KEY ("struct_id")
);

-- CreateIndex
CREATE INDEX "structure_arrangement_prototype_idx" ON "structure_arrangement"("prototype");

-- CreateIndex
CREATE INDEX "structure_arrangement_to_close_to_diamond_to_salt_idx" ON "structure_arrangement"("to_close", "to_diamond", "to_salt");

-- AddForeignKey
ALTER TABLE "structure_arrangement" ADD CONSTRAINT "structure_arrangement_struct_id_fkey" FOREIGN KEY ("struct_id") REFERENCES "material"("struct_id") ON DELETE CASCADE ON UPDATE CASCADE;
