-- min-reader: 1
-- The first form of the store. States are the names of the api's enums, ids ULIDs,
-- times unix milliseconds.

-- Facts about the database as a whole.
CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) WITHOUT ROWID;

-- Where each stream ends. Number 1 is the journal's own stream, the others are runs.
CREATE TABLE heads (
    stream_no INTEGER PRIMARY KEY,
    head_seq INTEGER NOT NULL,
    head_hash BLOB NOT NULL
);

CREATE TABLE tape (
    stream_no INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    time_millis INTEGER NOT NULL,
    schema INTEGER NOT NULL,
    commitment BLOB NOT NULL,
    prev_hash BLOB NOT NULL,
    hash BLOB NOT NULL,
    salt BLOB,
    payload BLOB,
    payload_file TEXT,
    PRIMARY KEY (stream_no, seq)
) WITHOUT ROWID;

-- Payloads kept as files, with the number of records that refer to each.
CREATE TABLE payload_files (
    sha256 TEXT PRIMARY KEY,
    refs INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX payload_files_unused ON payload_files (sha256) WHERE refs = 0;

CREATE TABLE seals (
    stream_no INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    hash BLOB NOT NULL,
    key_id TEXT NOT NULL,
    signature BLOB NOT NULL
);

CREATE TABLE sessions (
    session_id TEXT PRIMARY KEY,
    key TEXT NOT NULL,
    label TEXT NOT NULL,
    principal TEXT NOT NULL,
    device_id TEXT NOT NULL,
    channel TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    archived_at INTEGER NOT NULL,
    last_run_id TEXT NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX sessions_key ON sessions (principal, key) WHERE key <> '';
CREATE INDEX sessions_principal ON sessions (principal);
CREATE INDEX sessions_live ON sessions (session_id) WHERE archived_at = 0;
CREATE INDEX sessions_principal_live ON sessions (principal) WHERE archived_at = 0;

CREATE TABLE runs (
    run_id TEXT PRIMARY KEY,
    stream_no INTEGER NOT NULL,
    session_id TEXT NOT NULL,
    principal TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    origin_kind TEXT NOT NULL,
    message_id TEXT NOT NULL,
    surface TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX runs_session ON runs (session_id);
CREATE INDEX runs_principal ON runs (principal);
CREATE INDEX runs_state ON runs (state);
CREATE INDEX runs_open ON runs (session_id) WHERE state IN ('ACCEPTED', 'RUNNING', 'AWAITING_APPROVAL');
-- One session has at most one run that is RUNNING or AWAITING_APPROVAL.
CREATE UNIQUE INDEX runs_active ON runs (session_id) WHERE state IN ('RUNNING', 'AWAITING_APPROVAL');

CREATE TABLE inbox (
    message_id TEXT PRIMARY KEY,
    surface TEXT NOT NULL,
    dedupe_key TEXT NOT NULL,
    principal TEXT NOT NULL,
    payload BLOB NOT NULL,
    state TEXT NOT NULL,
    run_id TEXT NOT NULL,
    reason TEXT NOT NULL,
    created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX inbox_dedupe ON inbox (surface, dedupe_key) WHERE dedupe_key <> '';
CREATE INDEX inbox_state ON inbox (state);

CREATE TABLE outbox (
    outbox_id TEXT PRIMARY KEY,
    run_id TEXT NOT NULL,
    surface TEXT NOT NULL,
    payload BLOB NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX outbox_run ON outbox (run_id);
CREATE INDEX outbox_state ON outbox (state);
CREATE INDEX outbox_surface ON outbox (surface, state);

CREATE TABLE commands (
    command_id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    principal TEXT NOT NULL,
    payload BLOB NOT NULL,
    done INTEGER NOT NULL,
    result TEXT NOT NULL,
    created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX commands_pending ON commands (command_id) WHERE done = 0;

CREATE TABLE approvals (
    approval_id TEXT PRIMARY KEY,
    run_id TEXT NOT NULL,
    call_id TEXT NOT NULL,
    state TEXT NOT NULL,
    payload BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    decided_at INTEGER NOT NULL,
    decided_by TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX approvals_run ON approvals (run_id, state);
CREATE INDEX approvals_state ON approvals (state);

CREATE TABLE documents (
    collection TEXT NOT NULL,
    key TEXT NOT NULL,
    version INTEGER NOT NULL,
    content BLOB NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (collection, key)
) WITHOUT ROWID;

-- An owner's row stays after release, so that its epoch is never given out again.
CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    released INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE idempotency (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    request_sha256 TEXT NOT NULL,
    result BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (scope, key)
) WITHOUT ROWID;
CREATE INDEX idempotency_age ON idempotency (created_at);

-- Written and emptied again to find out whether the medium takes writes.
CREATE TABLE probe (
    probe_no INTEGER PRIMARY KEY,
    filler BLOB NOT NULL
);
