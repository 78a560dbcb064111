-- min-reader: 10
-- Checkpoints: one signature over many seals. A seal names the checkpoint that covers it; 0: not
-- covered yet; -1: never covered, since its own signature is wrong. What was verified is noted with a signature, and
-- where the check in the background is, without one.

ALTER TABLE seals ADD COLUMN checkpoint_no INTEGER NOT NULL DEFAULT 0;
CREATE INDEX seals_checkpoint ON seals (checkpoint_no, stream_no);

CREATE TABLE seal_checkpoints (
    checkpoint_no INTEGER PRIMARY KEY,
    previous BLOB NOT NULL,
    digest BLOB NOT NULL,
    key_id TEXT NOT NULL,
    signature BLOB NOT NULL
);

-- One row at most.
CREATE TABLE verified (
    row_no INTEGER PRIMARY KEY,
    checkpoint_no INTEGER NOT NULL,
    checkpoint_digest BLOB NOT NULL,
    journal_seq INTEGER NOT NULL,
    journal_hash BLOB NOT NULL,
    key_id TEXT NOT NULL,
    signature BLOB NOT NULL
);

-- One row at most: where the pass under way is, and how the last one ended.
CREATE TABLE scrub (
    row_no INTEGER PRIMARY KEY,
    stage TEXT NOT NULL,
    after_key TEXT NOT NULL,
    records INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    ended_records INTEGER NOT NULL
);

-- What these passes found and have not found intact since.
CREATE TABLE scrub_faults (
    place TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    detail TEXT NOT NULL,
    found_at INTEGER NOT NULL
) WITHOUT ROWID;
