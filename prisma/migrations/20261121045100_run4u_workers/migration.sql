-- AlterTable
ALTER TABLE "submission" ADD COLUMN     "nsites" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "run4u_worker" (
    "id" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "executor" TEXT NOT NULL,
    "engine" TEXT,
    "engine_version" TEXT NOT NULL DEFAULT '',
    "missing" TEXT NOT NULL DEFAULT '',
    "slots" INTEGER NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "run4u_worker_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run4u_control" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "is_draining" BOOLEAN NOT NULL DEFAULT false,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "run4u_control_pkey" PRIMARY KEY ("id")
);
