-- min-reader: 7
-- Sessions are found by any part of their key or label through an index of three-letter pieces.
-- Who writes sessions without it would leave new ones out.

CREATE TABLE session_numbers (
    no INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL
);
CREATE UNIQUE INDEX session_numbers_id ON session_numbers (session_id);
INSERT INTO session_numbers (session_id) SELECT session_id FROM sessions ORDER BY session_id;

CREATE VIRTUAL TABLE session_search USING fts5(key, label, tokenize = 'trigram');
INSERT INTO session_search (session_search, rank) VALUES ('secure-delete', 1);
INSERT INTO session_search (rowid, key, label) SELECT n.no, s.key, s.label FROM session_numbers n JOIN sessions s ON s.session_id = n.session_id;
