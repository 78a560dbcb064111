-- min-reader: 15
-- (An earlier one would send what a connector sends now, without order, and knows no ignored
-- message.)
-- How far the sending of an answer is, in which conversation it has its place, and where a message
-- of a chat platform came from.

ALTER TABLE outbox ADD COLUMN order_key TEXT NOT NULL DEFAULT '';
ALTER TABLE outbox ADD COLUMN part INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN next_attempt_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN reason TEXT NOT NULL DEFAULT '';
ALTER TABLE outbox ADD COLUMN sent_ids TEXT NOT NULL DEFAULT '';
ALTER TABLE outbox ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE outbox ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
CREATE INDEX outbox_open ON outbox (surface, order_key, outbox_id) WHERE state IN ('PENDING', 'SENDING');

ALTER TABLE inbox ADD COLUMN conversation TEXT NOT NULL DEFAULT '';
ALTER TABLE inbox ADD COLUMN sender TEXT NOT NULL DEFAULT '';
