-- min-reader: 5
-- The key of the last step that was taken in each stream, so that a step whose outcome was not
-- learned is not taken twice. How often in a row an engine could not go on with a run; a run may
-- be QUARANTINED, a state that readers before this one do not know.

ALTER TABLE heads ADD COLUMN step TEXT NOT NULL DEFAULT '';

ALTER TABLE runs ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
