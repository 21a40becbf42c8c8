-- CreateTable
CREATE TABLE "stable_list" (
    "functional" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "loaded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stable_list_pkey" PRIMARY KEY ("functional")
);

-- CreateTable
CREATE TABLE "stable_composition" (
    "functional" TEXT NOT NULL,
    "formula_reduced" TEXT NOT NULL,
    "chemical_system" TEXT NOT NULL,
    "is_marginal" BOOLEAN NOT NULL,

    CONSTRAINT "stable_composition_pkey" PRIMARY KEY ("functional","formula_reduced")
);

-- CreateIndex
CREATE INDEX "stable_composition_chemical_system_functional_idx" ON "stable_composition"("chemical_system", "functional");

-- AddForeignKey
ALTER TABLE "stable_composition" ADD CONSTRAINT "stable_composition_functional_fkey" FOREIGN KEY ("functional") REFERENCES "stable_list"("functional") ON DELETE CASCADE ON UPDATE CASCADE;
