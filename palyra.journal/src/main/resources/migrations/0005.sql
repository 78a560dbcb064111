-- min-reader: 1
-- The key of the last step that was taken in each stream, so that a step whose outcome was not
-- learned is not taken twice. Readers that do not know it ignore it.

ALTER TABLE heads ADD COLUMN step TEXT NOT NULL DEFAULT '';
