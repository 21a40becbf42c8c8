-- CreateTable
CREATE TABLE "material_prediction" (
    "struct_id" INTEGER NOT NULL,
    "model" TEXT NOT NULL,
    "formation_energy_per_atom" DOUBLE PRECISION,
    "band_gap" DOUBLE PRECISION,
    "bulk_modulus" DOUBLE PRECISION,
    "shear_modulus" DOUBLE PRECISION,
    "values" JSONB,
    "refusal" TEXT NOT NULL DEFAULT '',
    "made_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "material_prediction_pkey" PRIMARY KEY ("struct_id")
);

-- CreateTable
CREATE TABLE "prediction_control" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "is_off" BOOLEAN NOT NULL DEFAULT false,
    "model" TEXT,
    "folder" TEXT,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "prediction_control_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "submission_prediction" (
    "submission_id" INTEGER NOT NULL,
    "model" TEXT NOT NULL,
    "values" JSONB NOT NULL,
    "hull_distance" DOUBLE PRECISION,

    CONSTRAINT "submission_prediction_pkey" PRIMARY KEY ("submission_id")
);

-- CreateTable
CREATE TABLE "design_run" (
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "request" JSONB NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "progress" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "counts" JSONB NOT NULL DEFAULT '{}',
    "model" TEXT NOT NULL DEFAULT '',
    "reason" TEXT NOT NULL DEFAULT '',
    "reason_parameters" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "design_run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "design_candidate" (
    "run_id" INTEGER NOT NULL,
    "rank" INTEGER NOT NULL,
    "candidate" JSONB NOT NULL,
    "cell" JSONB NOT NULL,

    CONSTRAINT "design_candidate_pkey" PRIMARY KEY ("run_id","rank")
);

-- CreateIndex
CREATE INDEX "design_run_account_id_id_idx" ON "design_run"("account_id", "id");

-- AddForeignKey
ALTER TABLE "material_prediction" ADD CONSTRAINT "material_prediction_struct_id_fkey" FOREIGN KEY ("struct_id") REFERENCES "material"("struct_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "submission_prediction" ADD CONSTRAINT "submission_prediction_submission_id_fkey" FOREIGN KEY ("submission_id") REFERENCES "submission"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "design_run" ADD CONSTRAINT "design_run_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "design_candidate" ADD CONSTRAINT "design_candidate_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "design_run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
