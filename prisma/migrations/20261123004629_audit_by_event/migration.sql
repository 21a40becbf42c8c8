-- The events there are, and the newest of one of them, without reading the whole log.
CREATE INDEX "audit_log_event_id_idx" ON "audit_log"("event", "id");
