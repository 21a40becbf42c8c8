-- CreateTable
CREATE TABLE "material_record" (
    "id" SERIAL NOT NULL,
    "struct_id" INTEGER NOT NULL,
    "own_id" INTEGER,
    "source_name" TEXT NOT NULL,
    "source_id" TEXT NOT NULL,
    "source_licence" TEXT NOT NULL,
    "source_url" TEXT,
    "content_hash" BYTEA NOT NULL,
    "line" JSONB NOT NULL,
    "figures" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "material_record_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "retired_id" (
    "struct_id" INTEGER NOT NULL,
    "target_id" INTEGER,
    "formula_reduced" TEXT NOT NULL DEFAULT '',
    "source_name" TEXT NOT NULL DEFAULT '',
    "source_id" TEXT NOT NULL DEFAULT '',
    "retired_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "retired_id_pkey" PRIMARY KEY ("struct_id")
);

-- CreateTable
CREATE TABLE "kept_apart" (
    "struct_id" INTEGER NOT NULL,
    "split_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "kept_apart_pkey" PRIMARY KEY ("struct_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "material_record_content_hash_key" ON "material_record"("content_hash");

-- CreateIndex
CREATE INDEX "material_record_struct_id_idx" ON "material_record"("struct_id");

-- CreateIndex
CREATE INDEX "material_record_source_name_idx" ON "material_record"("source_name");

-- CreateIndex
CREATE INDEX "retired_id_target_id_idx" ON "retired_id"("target_id");

-- CreateIndex
CREATE INDEX "retired_id_source_name_source_id_idx" ON "retired_id"("source_name", "source_id");

-- AddForeignKey
ALTER TABLE "material_record" ADD CONSTRAINT "material_record_struct_id_fkey" FOREIGN KEY ("struct_id") REFERENCES "material"("struct_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The material an id stands for today: ids that were merged into another are followed. For reads by an id somebody kept.
CREATE FUNCTION current_struct_id(id integer) RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce((SELECT target_id FROM retired_id WHERE struct_id = id), id);
