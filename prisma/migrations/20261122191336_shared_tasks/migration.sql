-- CreateTable
CREATE TABLE "shared_task" (
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "input" JSONB NOT NULL,
    "result" JSONB,

    CONSTRAINT "shared_task_pkey" PRIMARY KEY ("id")
);
