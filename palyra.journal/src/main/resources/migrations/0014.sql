-- min-reader: 14
-- (An earlier one would write the journal's events under another name than their hashes have.)
-- The node that this store belongs to, and the name of the stream of its events: one row, written
-- by the first opening. A store from before keeps the name journal, of which its hashes are made.

CREATE TABLE node (
    row_no INTEGER PRIMARY KEY,
    node_id TEXT NOT NULL,
    stream_id TEXT NOT NULL
);
