-- CreateTable
CREATE TABLE "dirty_window" (
    "chemical_system" TEXT NOT NULL,
    "functional" TEXT NOT NULL,
    "stable_changed" BOOLEAN NOT NULL,
    "marked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "dirty_window_pkey" PRIMARY KEY ("chemical_system","functional")
);
