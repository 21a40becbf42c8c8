-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "material" (
    "struct_id" INTEGER NOT NULL,
    "formula" TEXT NOT NULL,
    "formula_reduced" TEXT NOT NULL,
    "formula_anonymous" TEXT NOT NULL,
    "chemical_system" TEXT NOT NULL,
    "elements" TEXT[],
    "nelements" SMALLINT NOT NULL,
    "nsites" INTEGER NOT NULL,
    "space_group_number" SMALLINT NOT NULL,
    "space_group" TEXT NOT NULL,
    "hall" TEXT NOT NULL,
    "point_group" TEXT NOT NULL,
    "crystal_system" TEXT NOT NULL,
    "lattice_type" TEXT NOT NULL,
    "volume" DOUBLE PRECISION NOT NULL,
    "density" DOUBLE PRECISION NOT NULL,
    "functional" TEXT,
    "energy" DOUBLE PRECISION,
    "energy_per_atom" DOUBLE PRECISION,
    "formation_energy_per_atom" DOUBLE PRECISION,
    "energy_above_hull" DOUBLE PRECISION,
    "band_gap" DOUBLE PRECISION,
    "band_gap_type" TEXT,
    "fermi_energy" DOUBLE PRECISION,
    "total_magnetization" DOUBLE PRECISION,
    "has_band" BOOLEAN NOT NULL DEFAULT false,
    "is_hubbard" BOOLEAN NOT NULL DEFAULT false,
    "has_hse" BOOLEAN NOT NULL DEFAULT false,
    "has_epsilon" BOOLEAN NOT NULL DEFAULT false,
    "has_piezo" BOOLEAN NOT NULL DEFAULT false,
    "has_elastic" BOOLEAN NOT NULL DEFAULT false,
    "has_topology" BOOLEAN NOT NULL DEFAULT false,
    "name_en" TEXT,
    "name_zh" TEXT,
    "source_name" TEXT NOT NULL,
    "source_id" TEXT NOT NULL,
    "source_licence" TEXT NOT NULL,
    "source_url" TEXT,
    "provenance" JSONB NOT NULL DEFAULT '{}',
    "content_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "material_pkey" PRIMARY KEY ("struct_id")
);

-- CreateTable
CREATE TABLE "material_structure" (
    "struct_id" INTEGER NOT NULL,
    "primitive" JSONB NOT NULL,
    "conventional" JSONB NOT NULL,
    "wyckoffs" TEXT[],
    "symprec" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "material_structure_pkey" PRIMARY KEY ("struct_id")
);

-- CreateTable
CREATE TABLE "material_energy" (
    "struct_id" INTEGER NOT NULL,
    "functional" TEXT NOT NULL,
    "chemical_system" TEXT NOT NULL,
    "energy_per_atom" DOUBLE PRECISION,
    "given_formation_energy" DOUBLE PRECISION,
    "formation_energy_per_atom" DOUBLE PRECISION,
    "energy_above_hull" DOUBLE PRECISION,
    "decomposition" JSONB,
    "release_id" INTEGER,
    "source" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "material_energy_pkey" PRIMARY KEY ("struct_id","functional")
);

-- CreateTable
CREATE TABLE "dirty_system" (
    "chemical_system" TEXT NOT NULL,
    "functional" TEXT NOT NULL,
    "marked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "dirty_system_pkey" PRIMARY KEY ("chemical_system","functional")
);

-- CreateTable
CREATE TABLE "release" (
    "id" SERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "summary" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "release_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "import_run" (
    "id" SERIAL NOT NULL,
    "file_key" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "units_done" INTEGER NOT NULL DEFAULT 0,
    "accepted" INTEGER NOT NULL DEFAULT 0,
    "refused" INTEGER NOT NULL DEFAULT 0,
    "duplicates" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "import_run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "band_structure" (
    "struct_id" INTEGER NOT NULL,
    "functional" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "provenance" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "band_structure_pkey" PRIMARY KEY ("struct_id","functional")
);

-- CreateTable
CREATE TABLE "density_of_states" (
    "struct_id" INTEGER NOT NULL,
    "functional" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "provenance" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "density_of_states_pkey" PRIMARY KEY ("struct_id","functional")
);

-- CreateTable
CREATE TABLE "elastic_tensor" (
    "struct_id" INTEGER NOT NULL,
    "tensor" JSONB NOT NULL,
    "provenance" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "elastic_tensor_pkey" PRIMARY KEY ("struct_id")
);

-- CreateTable
CREATE TABLE "dielectric_tensor" (
    "struct_id" INTEGER NOT NULL,
    "electronic" JSONB NOT NULL,
    "total" JSONB NOT NULL,
    "provenance" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "dielectric_tensor_pkey" PRIMARY KEY ("struct_id")
);

-- CreateTable
CREATE TABLE "piezoelectric_tensor" (
    "struct_id" INTEGER NOT NULL,
    "total" JSONB NOT NULL,
    "provenance" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "piezoelectric_tensor_pkey" PRIMARY KEY ("struct_id")
);

-- CreateTable
CREATE TABLE "topology" (
    "struct_id" INTEGER NOT NULL,
    "labels" TEXT[],
    "rows" JSONB NOT NULL,
    "provenance" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "topology_pkey" PRIMARY KEY ("struct_id")
);

-- CreateTable
CREATE TABLE "powder_pattern" (
    "struct_id" INTEGER NOT NULL,
    "pattern" BYTEA NOT NULL,
    "release_id" INTEGER,

    CONSTRAINT "powder_pattern_pkey" PRIMARY KEY ("struct_id")
);

-- CreateTable
CREATE TABLE "electrochemical_window" (
    "struct_id" INTEGER NOT NULL,
    "working_ion" TEXT NOT NULL,
    "functional" TEXT NOT NULL,
    "reduction_onset" DOUBLE PRECISION NOT NULL,
    "oxidation_onset" DOUBLE PRECISION,
    "release_id" INTEGER,

    CONSTRAINT "electrochemical_window_pkey" PRIMARY KEY ("struct_id","working_ion","functional")
);

-- CreateTable
CREATE TABLE "account" (
    "id" SERIAL NOT NULL,
    "username" TEXT NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "mobile" TEXT,
    "user_type" SMALLINT NOT NULL DEFAULT 1,
    "avatar" TEXT NOT NULL DEFAULT '',
    "des" TEXT NOT NULL DEFAULT '',
    "url" TEXT NOT NULL DEFAULT '',
    "occ" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "social_account" (
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "provider" TEXT NOT NULL,
    "provider_user_id" TEXT NOT NULL,
    "display_name" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "social_account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sms_code" (
    "id" SERIAL NOT NULL,
    "mobile" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "consumed_at" TIMESTAMPTZ(3),

    CONSTRAINT "sms_code_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sms_token" (
    "token_hash" BYTEA NOT NULL,
    "mobile" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "account_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "consumed_at" TIMESTAMPTZ(3),

    CONSTRAINT "sms_token_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "session" (
    "id" UUID NOT NULL,
    "account_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "user_agent" TEXT NOT NULL DEFAULT '',
    "address" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rate_bucket" (
    "key" TEXT NOT NULL,
    "tokens" DOUBLE PRECISION NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rate_bucket_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "audit_log" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "account_id" INTEGER,
    "event" TEXT NOT NULL,
    "address" TEXT NOT NULL DEFAULT '',
    "detail" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "submission" (
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "formula" TEXT NOT NULL,
    "space_group" TEXT NOT NULL,
    "structure" JSONB NOT NULL,
    "struct_id" INTEGER,
    "reason" TEXT NOT NULL DEFAULT '',
    "reason_code" TEXT NOT NULL DEFAULT '',
    "step" TEXT NOT NULL DEFAULT '',
    "state" JSONB NOT NULL DEFAULT '{}',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "lease_owner" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "submitted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "submission_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "submission_quota" (
    "account_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "used" SMALLINT NOT NULL DEFAULT 0,

    CONSTRAINT "submission_quota_pkey" PRIMARY KEY ("account_id","day")
);

-- CreateTable
CREATE TABLE "content" (
    "slug" TEXT NOT NULL,
    "locale" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "content_pkey" PRIMARY KEY ("slug","locale")
);

-- CreateIndex
CREATE UNIQUE INDEX "material_content_hash_key" ON "material"("content_hash");

-- CreateIndex
CREATE INDEX "material_chemical_system_energy_above_hull_struct_id_idx" ON "material"("chemical_system", "energy_above_hull", "struct_id");

-- CreateIndex
CREATE INDEX "material_formula_reduced_energy_above_hull_struct_id_idx" ON "material"("formula_reduced", "energy_above_hull", "struct_id");

-- CreateIndex
CREATE INDEX "material_formula_anonymous_idx" ON "material"("formula_anonymous");

-- CreateIndex
CREATE INDEX "material_energy_above_hull_struct_id_idx" ON "material"("energy_above_hull", "struct_id");

-- CreateIndex
CREATE INDEX "material_elements_idx" ON "material" USING GIN ("elements");

-- CreateIndex
CREATE INDEX "material_source_name_source_id_idx" ON "material"("source_name", "source_id");

-- CreateIndex
CREATE INDEX "material_energy_chemical_system_functional_idx" ON "material_energy"("chemical_system", "functional");

-- CreateIndex
CREATE UNIQUE INDEX "import_run_file_key_key" ON "import_run"("file_key");

-- CreateIndex
CREATE INDEX "electrochemical_window_working_ion_reduction_onset_oxidatio_idx" ON "electrochemical_window"("working_ion", "reduction_onset", "oxidation_onset");

-- CreateIndex
CREATE UNIQUE INDEX "account_username_key" ON "account"("username");

-- CreateIndex
CREATE UNIQUE INDEX "account_mobile_key" ON "account"("mobile");

-- CreateIndex
CREATE UNIQUE INDEX "social_account_provider_provider_user_id_key" ON "social_account"("provider", "provider_user_id");

-- CreateIndex
CREATE UNIQUE INDEX "social_account_account_id_provider_key" ON "social_account"("account_id", "provider");

-- CreateIndex
CREATE INDEX "sms_code_mobile_purpose_created_at_idx" ON "sms_code"("mobile", "purpose", "created_at");

-- CreateIndex
CREATE INDEX "sms_code_expires_at_idx" ON "sms_code"("expires_at");

-- CreateIndex
CREATE INDEX "sms_token_expires_at_idx" ON "sms_token"("expires_at");

-- CreateIndex
CREATE INDEX "session_account_id_idx" ON "session"("account_id");

-- CreateIndex
CREATE INDEX "session_expires_at_idx" ON "session"("expires_at");

-- CreateIndex
CREATE INDEX "audit_log_account_id_at_idx" ON "audit_log"("account_id", "at");

-- CreateIndex
CREATE INDEX "audit_log_at_idx" ON "audit_log"("at");

-- CreateIndex
CREATE INDEX "submission_account_id_submitted_at_idx" ON "submission"("account_id", "submitted_at");

-- CreateIndex
CREATE INDEX "submission_status_lease_until_idx" ON "submission"("status", "lease_until");

-- AddForeignKey
ALTER TABLE "material_structure" ADD CONSTRAINT "material_structure_struct_id_fkey" FOREIGN KEY ("struct_id") REFERENCES "material"("struct_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "material_energy" ADD CONSTRAINT "material_energy_struct_id_fkey" FOREIGN KEY ("struct_id") REFERENCES "material"("struct_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "band_structure" ADD CONSTRAINT "band_structure_struct_id_fkey" FOREIGN KEY ("struct_id") REFERENCES "material"("struct_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "density_of_states" ADD CONSTRAINT "density_of_states_struct_id_fkey" FOREIGN KEY ("struct_id") REFERENCES "material"("struct_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "elastic_tensor" ADD CONSTRAINT "elastic_tensor_struct_id_fkey" FOREIGN KEY ("struct_id") REFERENCES "material"("struct_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dielectric_tensor" ADD CONSTRAINT "dielectric_tensor_struct_id_fkey" FOREIGN KEY ("struct_id") REFERENCES "material"("struct_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "piezoelectric_tensor" ADD CONSTRAINT "piezoelectric_tensor_struct_id_fkey" FOREIGN KEY ("struct_id") REFERENCES "material"("struct_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "topology" ADD CONSTRAINT "topology_struct_id_fkey" FOREIGN KEY ("struct_id") REFERENCES "material"("struct_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "powder_pattern" ADD CONSTRAINT "powder_pattern_struct_id_fkey" FOREIGN KEY ("struct_id") REFERENCES "material"("struct_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "electrochemical_window" ADD CONSTRAINT "electrochemical_window_struct_id_fkey" FOREIGN KEY ("struct_id") REFERENCES "material"("struct_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "social_account" ADD CONSTRAINT "social_account_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "submission" ADD CONSTRAINT "submission_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

