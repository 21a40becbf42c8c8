-- AlterTable
ALTER TABLE "account" ADD COLUMN     "is_administrator" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "run4u_daily_limit" SMALLINT;

-- An administrator is an internal user with more: what is demanded of internal users is demanded of administrators.
ALTER TABLE "account" ADD CONSTRAINT "account_administrators_are_internal" CHECK (NOT "is_administrator" OR "user_type" <> 1);

-- AlterTable
ALTER TABLE "audit_log" ADD COLUMN     "actor_id" INTEGER;

-- CreateTable
CREATE TABLE "work_progress" (
    "id" SERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "detail" TEXT NOT NULL DEFAULT '',
    "done" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "total" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "work_progress_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "audit_log_actor_id_at_idx" ON "audit_log"("actor_id", "at");
