-- min-reader: 3
-- (An earlier one takes the first yes for enough.)
-- Questions know whom and what they are about, several people may have to agree, people are
-- reminded, and a yes makes a grant, whose uses are counted.

ALTER TABLE approvals ADD COLUMN session_id TEXT NOT NULL DEFAULT '';
ALTER TABLE approvals ADD COLUMN principal TEXT NOT NULL DEFAULT '';
ALTER TABLE approvals ADD COLUMN subject_type TEXT NOT NULL DEFAULT '';
ALTER TABLE approvals ADD COLUMN subject_id TEXT NOT NULL DEFAULT '';
ALTER TABLE approvals ADD COLUMN quorum INTEGER NOT NULL DEFAULT 1;
ALTER TABLE approvals ADD COLUMN votes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE approvals ADD COLUMN notice_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE approvals ADD COLUMN notices INTEGER NOT NULL DEFAULT 0;
ALTER TABLE approvals ADD COLUMN decision BLOB NOT NULL DEFAULT x'';

CREATE INDEX approvals_principal ON approvals (principal);
CREATE INDEX approvals_of_run ON approvals (run_id);
CREATE INDEX approvals_end ON approvals (expires_at) WHERE state = 'PENDING';
CREATE INDEX approvals_notice ON approvals (notice_at) WHERE state = 'PENDING' AND notice_at > 0;

CREATE TABLE approval_votes (
    approval_id TEXT NOT NULL,
    principal TEXT NOT NULL,
    payload BLOB NOT NULL,
    voted_at INTEGER NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (approval_id, principal)
) WITHOUT ROWID;
CREATE UNIQUE INDEX approval_votes_order ON approval_votes (approval_id, position);

CREATE TABLE grants (
    grant_id TEXT PRIMARY KEY,
    approval_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    principal TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    tool TEXT NOT NULL,
    call_id TEXT NOT NULL,
    state TEXT NOT NULL,
    payload BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    max_uses INTEGER NOT NULL,
    uses INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    ended_by TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX grants_active ON grants (principal, tool) WHERE state = 'ACTIVE';
CREATE INDEX grants_principal ON grants (principal);
CREATE INDEX grants_session ON grants (session_id) WHERE state = 'ACTIVE';

CREATE TABLE grant_uses (
    grant_id TEXT NOT NULL,
    call_id TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    PRIMARY KEY (grant_id, call_id, attempt)
) WITHOUT ROWID;

-- A run that waits for people and of which a question was decided since it last went on.
ALTER TABLE runs ADD COLUMN answered INTEGER NOT NULL DEFAULT 0;
CREATE INDEX runs_answered ON runs (stream_no) WHERE answered = 1 AND state = 'AWAITING_APPROVAL';
