-- min-reader: 10
-- What retention left of the payloads of runs that have ended: 0 all, 1 all but streamed text,
-- 2 none. Runs of which something is left are found in the order in which they ended.

ALTER TABLE runs ADD COLUMN payloads INTEGER NOT NULL DEFAULT 0;
CREATE INDEX runs_ended ON runs (payloads, updated_at, stream_no) WHERE payloads < 2 AND state IN ('SUCCEEDED', 'FAILED', 'CANCELLED');
