-- min-reader: 2
-- (An earlier one orders runs by their ids.)
-- A sender may choose the id of a run. So ids no longer tell in which order runs were recorded:
-- their stream numbers do. And no two messages have the same run, be it made or only asked for.

CREATE UNIQUE INDEX runs_stream ON runs (stream_no);

DROP INDEX runs_session;
CREATE INDEX runs_session ON runs (session_id, stream_no);

DROP INDEX runs_principal;
CREATE INDEX runs_principal ON runs (principal, stream_no);

DROP INDEX runs_state;
CREATE INDEX runs_state ON runs (state, stream_no);

DROP INDEX runs_open;
CREATE INDEX runs_open ON runs (session_id, stream_no) WHERE state IN ('ACCEPTED', 'RUNNING', 'AWAITING_APPROVAL');

CREATE UNIQUE INDEX inbox_run ON inbox (run_id) WHERE run_id <> '';
