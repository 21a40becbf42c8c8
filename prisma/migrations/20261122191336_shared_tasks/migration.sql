-- What is in it is done anew after a crash: nothing of it goes to the log.
-- CreateTable
CREATE UNLOGGED TABLE "shared_task" (
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "input" JSONB NOT NULL,
    "result" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "shared_task_pkey" PRIMARY KEY ("id")
);
