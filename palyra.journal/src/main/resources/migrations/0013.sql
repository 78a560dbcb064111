-- min-reader: 13
-- (An earlier one takes what is left of a cut payload for all of it.)
-- Long texts of payloads are kept apart from them, each once however many payloads have it. A row
-- whose payload was cut says where each text belongs: see TextTable. Numbers are not used again.

CREATE TABLE text_uses (
    text_no INTEGER PRIMARY KEY AUTOINCREMENT,
    digest BLOB NOT NULL,
    uses INTEGER NOT NULL
);

CREATE TABLE texts (
    text_no INTEGER PRIMARY KEY,
    content BLOB NOT NULL
);

ALTER TABLE tape ADD COLUMN texts BLOB;
ALTER TABLE inbox ADD COLUMN texts BLOB;
ALTER TABLE outbox ADD COLUMN texts BLOB;
