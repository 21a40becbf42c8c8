-- CreateTable
CREATE TABLE "entry_report" (
    "id" SERIAL NOT NULL,
    "struct_id" INTEGER NOT NULL,
    "account_id" INTEGER,
    "email" TEXT NOT NULL DEFAULT '',
    "message" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "answer" TEXT,
    "answered_at" TIMESTAMPTZ(3),

    CONSTRAINT "entry_report_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "entry_report_account_id_struct_id_idx" ON "entry_report"("account_id", "struct_id");

-- CreateIndex
CREATE INDEX "entry_report_answered_at_idx" ON "entry_report"("answered_at");

-- AddForeignKey
ALTER TABLE "entry_report" ADD CONSTRAINT "entry_report_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE SET NULL ON UPDATE CASCADE;
