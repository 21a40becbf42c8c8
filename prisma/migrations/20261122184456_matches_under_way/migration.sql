-- Which matches wait and run in the processes of the api. Rows live for seconds; after a crash of the server none is wanted back.
CREATE UNLOGGED TABLE "xrd_match" (
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "match_id" TEXT,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "progress" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "is_cancelled" BOOLEAN NOT NULL DEFAULT false,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "xrd_match_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "xrd_match_account_id_idx" ON "xrd_match"("account_id");
