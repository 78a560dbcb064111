-- min-reader: 5
-- What is asked of questions and grants follows an index: questions of a session, grants that cover
-- a call, and grants whose time ends.

CREATE INDEX approvals_session ON approvals (session_id);

DROP INDEX grants_active;
CREATE INDEX grants_active ON grants (principal, tool, session_id, expires_at, grant_id) WHERE state = 'ACTIVE';
CREATE INDEX grants_ending ON grants (expires_at) WHERE state = 'ACTIVE' AND expires_at > 0;
