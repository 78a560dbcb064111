-- min-reader: 9
-- (An earlier one leaves the text of erased records in snapshots.)
-- What runs that have not ended have come to, up to a record of their tape: made from the tape,
-- and made again from it whenever it is missing or its digest does not fit.

CREATE TABLE run_snapshots (
    stream_no INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    format INTEGER NOT NULL,
    digest BLOB NOT NULL,
    content BLOB NOT NULL
);
