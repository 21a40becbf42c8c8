-- CreateTable
CREATE TABLE "backup_schedule" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "pattern" TEXT NOT NULL,
    "keep" INTEGER NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "backup_schedule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "backup" (
    "id" SERIAL NOT NULL,
    "file" TEXT NOT NULL,
    "is_scheduled" BOOLEAN NOT NULL DEFAULT false,
    "is_encrypted" BOOLEAN NOT NULL DEFAULT false,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "bytes" BIGINT,
    "sha256" TEXT,
    "verified_at" TIMESTAMPTZ(3),
    "verify_seconds" DOUBLE PRECISION,
    "problem" TEXT NOT NULL DEFAULT '',
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "backup_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "backup_started_at_idx" ON "backup"("started_at");
