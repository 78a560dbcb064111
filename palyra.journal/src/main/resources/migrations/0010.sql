-- min-reader: 10
-- (An earlier one neither looks for sessions that are not in the index yet nor puts them there.)
-- Sessions whose entry in the index of three-letter pieces is still to be written. It is written
-- in a transaction of its own, so that damage of the index never refuses what the session is for.

CREATE TABLE session_pending (
    no INTEGER PRIMARY KEY
);
