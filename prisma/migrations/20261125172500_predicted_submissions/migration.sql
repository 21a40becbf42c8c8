-- AlterTable
ALTER TABLE "submission" ADD COLUMN     "method" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "submission_quota" ADD COLUMN     "predicted" SMALLINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "submission_result" (
    "submission_id" INTEGER NOT NULL,
    "results" JSONB NOT NULL,

    CONSTRAINT "submission_result_pkey" PRIMARY KEY ("submission_id")
);

-- AddForeignKey
ALTER TABLE "submission_result" ADD CONSTRAINT "submission_result_submission_id_fkey" FOREIGN KEY ("submission_id") REFERENCES "submission"("id") ON DELETE CASCADE ON UPDATE CASCADE;
